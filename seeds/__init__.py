"""What casegen composes its cases from: reference tables, clinical knowledge, phrases, pools."""
