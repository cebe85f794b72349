"""What a person sees and presses. No SQL, no statistics, no text rules."""
