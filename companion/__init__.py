"""Castle Companion: what runs at the table."""

import os

__version__ = "0.1.0"

# numpy's small products gain nothing by more threads, which only wait for each other on a busy machine. Before numpy.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
