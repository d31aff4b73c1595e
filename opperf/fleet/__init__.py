"""Many hosts, one result: Dask schedules, PostgreSQL keeps what must not be lost."""
