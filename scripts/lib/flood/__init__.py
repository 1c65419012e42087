"""The flood check: what honest clients notice while a server is under attack."""
