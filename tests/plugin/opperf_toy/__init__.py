"""A plug-in as somebody else would write it: a framework, its operators, and operators that fail.

It counts as installed where this folder's parent is on PYTHONPATH, so nowhere but in the tests that
put it there.
"""
