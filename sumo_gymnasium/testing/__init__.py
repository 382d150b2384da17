"""Checks and fakes, public so that users test their own strategies with them."""
