"""What is known of drugs: doses, interactions, allergies, contraindications, notations."""
