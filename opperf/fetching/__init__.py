"""What a benchmark needs beside itself: repositories and data from elsewhere, results to elsewhere.

Nothing here is ever half there: what is fetched or extracted is made beside its place, under a
lock, and renamed when it is whole. No secret is taken from a command line, nor written anywhere.
"""
