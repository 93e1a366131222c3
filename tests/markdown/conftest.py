"""Properties are checked without a clock: a loaded machine must not fail them."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("unhurried", deadline=None, max_examples=60)
settings.load_profile("unhurried")
