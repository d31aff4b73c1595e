"""The scheduler: Dask's, and what hands it the rows that are due."""
