"""The store: results of many runs in one SQLite file or one PostgreSQL database."""
