"""One file per screen. Each is made anew whenever it is shown, from what the shell was told to show."""
