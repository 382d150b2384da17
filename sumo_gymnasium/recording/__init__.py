"""What is left of an episode: key figures from SUMO's own accounts."""
