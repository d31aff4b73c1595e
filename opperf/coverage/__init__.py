"""What the tables cover of all that a framework offers; only this room asks the frameworks that."""
