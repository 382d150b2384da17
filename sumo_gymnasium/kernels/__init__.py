"""What strategies see of SUMO: four kernels with reads and commands in the field's words."""
