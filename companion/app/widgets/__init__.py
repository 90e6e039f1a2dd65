"""What screens are made of: thin Kivy widgets that follow the theme and bring no words of their own."""

from companion.app import kivyenv

kivyenv.guard()
