"""Object detection: bounding boxes and regions."""
