"""A plug-in as somebody else would write it: a framework, operators, some that fail, and a form.

It counts as installed where this folder's parent is on PYTHONPATH, so nowhere but in the tests that
put it there.
"""
