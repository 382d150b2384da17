"""Signal logic without a simulator: which phases a program offers, and the clock that shows them."""
