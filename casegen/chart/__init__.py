"""The structured truth about a patient and an encounter, drawn problem by problem."""
