"""Suites that measure the program on data, with intervals and baselines."""
