"""A simulated table that falls down for real: physics, a hand, scenarios, and the senses that watch it."""

import os
import sys

if sys.platform == "linux":  # without a screen; MuJoCo reads this when it is first imported
    os.environ.setdefault("MUJOCO_GL", "egl")
