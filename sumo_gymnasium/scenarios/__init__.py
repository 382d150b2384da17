"""What is simulated: network, demand and the seconds between begin and end."""
