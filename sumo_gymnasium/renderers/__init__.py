"""Pictures of a simulation as RGB arrays, without a display."""
