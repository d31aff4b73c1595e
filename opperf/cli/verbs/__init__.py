"""A module a verb, of the verb's name: its flags, and what it does with them."""
