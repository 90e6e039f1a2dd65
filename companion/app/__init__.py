"""The touch screen: what people at the table see and press."""
