"""Streams in, sensed events out: what the camera and the scales under the boards say about the castles."""
