"""Measures the server beside nginx and beside what a team would write instead, and writes a report with plots."""
