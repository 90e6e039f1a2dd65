"""The table in a terminal: any game, from its prompts and its picture, by keyboard."""
