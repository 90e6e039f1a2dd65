"""The camera over the table: sources of pictures, one feed that outlives their troubles, and a simulated twin."""
