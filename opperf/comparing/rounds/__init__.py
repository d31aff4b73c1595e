"""Any number of arms in turns: rounds of blocks, sessions of fresh processes, what is due."""
