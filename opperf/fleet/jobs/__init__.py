"""Jobs: what is to be measured, where it may be, and whose lease it is."""
