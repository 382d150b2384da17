"""Environments: the decision loop, in this process or in a worker, and the interfaces of Gymnasium and PettingZoo."""
