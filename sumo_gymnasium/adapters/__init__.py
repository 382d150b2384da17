"""What fits the envs to learners. Each file imports one library and needs its extra; nothing else here imports them."""
