"""One table's evening: every move durable before it is shown, labelled undo, clocks, history, export."""
