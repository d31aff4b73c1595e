"""Boxes of objects in images, as (left, top, right, bottom) corners between 0 and 1."""
