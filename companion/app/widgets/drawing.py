"""Icons and shields as smooth pictures, each drawn once per size and kept."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from kivy.graphics import ClearBuffers, ClearColor, Color, Fbo, Line, Mesh, Rectangle
from kivy.graphics.opengl import GL_RGBA, GL_UNSIGNED_BYTE, glReadPixels
from kivy.graphics.tesselator import TYPE_POLYGONS, WINDING_ODD, Tesselator
from kivy.graphics.texture import Texture

from companion.app.icons import CHARGES, GRID, SHIELD, STROKE, TONE, Icon, icon
from companion.app.widgets.paths import Outline, flattened

_OVERSAMPLING = 4
"""A power of two: the drawing is halved again and again, and each halving takes the mean of four pixels."""
_MOST_KEPT = 512
_SMALLEST_CANVAS = 256
_CANVASES_KEPT = 12


@lru_cache(maxsize=_MOST_KEPT)
def icon_texture(kind: str, size_px: int) -> Any:
    """A white picture of an icon, to be tinted by whoever shows it; None when nobody has drawn it."""
    drawing = icon(kind)
    return None if drawing is None else _pictured(drawing, size_px)


@lru_cache(maxsize=_MOST_KEPT)
def shield_texture(size_px: int) -> Any:
    """The field of a seat's badge, filled."""
    return _pictured(Icon(solid=SHIELD), size_px)


@lru_cache(maxsize=_MOST_KEPT)
def shield_rim_texture(size_px: int) -> Any:
    """The rim of a seat's badge."""
    return _pictured(Icon(line=SHIELD), size_px)


@lru_cache(maxsize=_MOST_KEPT)
def charge_texture(shape: str, size_px: int) -> Any:
    """A heraldic shape, to be laid on a shield of the same size."""
    return _pictured(Icon(solid=CHARGES[shape]), size_px)


def forget_pictures() -> None:
    """Drops every kept picture: they belong to a window that is gone."""
    for kept in (icon_texture, shield_texture, shield_rim_texture, charge_texture, _canvas):
        kept.cache_clear()


def _pictured(drawing: Icon, size_px: int) -> Any:
    """Drawn large in the corner of a canvas that all drawings share, halved into the next one, then taken off it."""
    side = size_px * _OVERSAMPLING
    canvas = _canvas(_room_for(side))
    with _blank(canvas):
        _draw(drawing, side / GRID)
    canvas.draw()
    while side > size_px:
        side //= 2
        canvas = _halved(canvas, side)
    return _taken_off(canvas, size_px)


def _room_for(side: int) -> int:
    """The side of the shared canvas for a drawing: few of them do for all sizes."""
    return max(_SMALLEST_CANVAS, 1 << (side - 1).bit_length())


@lru_cache(maxsize=_CANVASES_KEPT)
def _canvas(side: int) -> Any:
    fbo = Fbo(size=(side, side))
    fbo.texture.mag_filter = fbo.texture.min_filter = "linear"
    return fbo


def _blank(canvas: Any) -> Any:
    canvas.clear()
    with canvas:
        ClearColor(1, 1, 1, 0)
        ClearBuffers()
    return canvas


def _halved(canvas: Any, side: int) -> Any:
    smaller = _canvas(canvas.size[0] // 2)
    with _blank(smaller):
        Color(1, 1, 1, 1)
        Rectangle(size=(side, side), texture=canvas.texture.get_region(0, 0, 2 * side, 2 * side))
    smaller.draw()
    return smaller


def _taken_off(canvas: Any, size_px: int) -> Any:
    canvas.bind()
    pixels = glReadPixels(0, 0, size_px, size_px, GL_RGBA, GL_UNSIGNED_BYTE)
    canvas.release()
    canvas.clear()
    texture = Texture.create(size=(size_px, size_px), colorfmt="rgba")
    texture.blit_buffer(pixels, colorfmt="rgba", bufferfmt="ubyte")
    return texture


def _draw(drawing: Icon, scale: float) -> None:
    Color(1, 1, 1, TONE)
    _fill(flattened(drawing.tone), scale)
    Color(1, 1, 1, 1)
    _fill(flattened(drawing.solid), scale)
    for outline in flattened(drawing.line):
        _stroke(outline, scale)


def _stroke(outline: Outline, scale: float) -> None:
    points = [part for point in _scaled(outline, scale) for part in point]
    Line(points=points, width=STROKE * scale / 2, cap="round", joint="round", close=outline.closed)


def _fill(outlines: tuple[Outline, ...], scale: float) -> None:
    """Outlines within outlines are holes."""
    if not outlines:
        return
    shape = Tesselator()
    for outline in outlines:
        shape.add_contour([part for point in _scaled(outline, scale) for part in point])
    shape.tesselate(WINDING_ODD, TYPE_POLYGONS)
    for vertices, indices in shape.meshes:
        Mesh(vertices=vertices, indices=indices, mode="triangle_fan")


def _scaled(outline: Outline, scale: float) -> list[tuple[float, float]]:
    return [(x * scale, (GRID - y) * scale) for x, y in outline.points]
