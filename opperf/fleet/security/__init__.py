"""Who may take part in a fleet: an authority, a certificate a host, connections with both."""
