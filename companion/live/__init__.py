"""The live table: devices, sensing and the game joined. What the senses say becomes proposals that people answer."""
