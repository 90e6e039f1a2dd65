"""Turns in space as plain tuples (w, x, y, z): numbers for code that runs a thousand times a second."""

from __future__ import annotations

import math
from typing import TypeAlias

Vec: TypeAlias = tuple[float, float, float]
Quat: TypeAlias = tuple[float, float, float, float]

STRAIGHT: Quat = (1.0, 0.0, 0.0, 0.0)


def times(a: Quat, b: Quat) -> Quat:
    """First b, then a."""
    aw, ax, ay, az = a
    bw, bx, by, bz = b
    return (
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    )


def back(q: Quat) -> Quat:
    """The turn undone."""
    return (q[0], -q[1], -q[2], -q[3])


def turned(q: Quat, v: Vec) -> Vec:
    """A vector after the turn."""
    w, x, y, z = q
    vx, vy, vz = v
    tx, ty, tz = 2 * (y * vz - z * vy), 2 * (z * vx - x * vz), 2 * (x * vy - y * vx)
    return (vx + w * tx + y * tz - z * ty, vy + w * ty + z * tx - x * tz, vz + w * tz + x * ty - y * tx)


def about(axis: Vec, angle_rad: float) -> Quat:
    """The turn about a unit axis."""
    sin = math.sin(angle_rad / 2)
    return (math.cos(angle_rad / 2), axis[0] * sin, axis[1] * sin, axis[2] * sin)


def yawed(angle_rad: float) -> Quat:
    """Counter-clockwise seen from above."""
    return (math.cos(angle_rad / 2), 0.0, 0.0, math.sin(angle_rad / 2))


def pointing(yaw_rad: float, dip_rad: float, roll_rad: float = 0.0) -> Quat:
    """A hand that points along the yaw with its fingertips dipped below its wrist."""
    return times(times(yawed(yaw_rad), about((0.0, 1.0, 0.0), dip_rad)), about((1.0, 0.0, 0.0), roll_rad))


def arc(q: Quat) -> Vec:
    """The turn as axis times angle, the short way round."""
    w, x, y, z = q if q[0] >= 0 else (-q[0], -q[1], -q[2], -q[3])
    sin = math.sqrt(x * x + y * y + z * z)
    if sin < 1e-9:
        return (2 * x, 2 * y, 2 * z)
    share = 2 * math.atan2(sin, w) / sin
    return (x * share, y * share, z * share)


def between(a: Quat, b: Quat, share: float) -> Quat:
    """Part of the way from a to b."""
    axis = arc(times(back(a), b))
    angle = math.sqrt(axis[0] ** 2 + axis[1] ** 2 + axis[2] ** 2)
    if angle < 1e-9:
        return b
    unit = (axis[0] / angle, axis[1] / angle, axis[2] / angle)
    return times(a, about(unit, angle * share))


def yaw_of(q: Quat) -> float:
    """Where the x axis points, seen from above."""
    x, y, _ = turned(q, (1.0, 0.0, 0.0))
    return math.atan2(y, x)


def added(a: Vec, b: Vec) -> Vec:
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def less(a: Vec, b: Vec) -> Vec:
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def length(a: Vec) -> float:
    return math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])


def eased(share: float) -> float:
    """How far a hand is on its way after a share of the time: smooth at both ends (least jerk).

    >>> eased(0.0), eased(0.5), eased(1.0)
    (0.0, 0.5, 1.0)
    """
    s = min(1.0, max(0.0, share))
    return s * s * s * (10.0 + s * (6.0 * s - 15.0))
