"""The trade itself: pure functions on frozen dataclasses; no input or output, no clock, no hidden randomness."""
