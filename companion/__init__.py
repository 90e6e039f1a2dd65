"""Castle Companion: what runs at the table."""

__version__ = "0.1.0"
