"""Ears: small networks that listen to the last rows of a load, and say what odds there are that something fell.

Four layers look at each row and its neighbours, the first at near ones, the last at those farther off. What they find
in the newest rows, at the most and on the whole is weighed together with plain symptoms. It is a few products of small
matrices. Ears that were taught apart are wrong about other things, so several are asked, and the mean of their odds is
told; `companion fit` teaches them anew.
"""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias
from zipfile import BadZipFile

import numpy as np

from companion.errors import Malformed
from companion.sensing.scales.tracing import CHANNELS, ROWS, Array, Trace, channels

Weights: TypeAlias = dict[str, Array]

WIDE = 24
"""What each layer looks for: so many things."""
LAYERS = ((5, 1), (5, 2), (5, 4), (3, 8))
"""How many rows each layer looks at, and how far they are apart."""
PAD = 8
"""So many empty rows are around each trace: no layer looks beyond them."""
NEWEST = 6
"""Rows that are looked at once more, as they are just now."""
HEARD = 3 * WIDE
FIRST, SECOND = 64, 32
"""How many sums are made of what was found, and of those."""
EVERYTHING = (np.ones((1, 1), np.float32), np.ones((1, 1), np.float32))
"""All that was found is kept, as it is."""
UNKNOWN_BELOW = -998.0
"""A symptom that is less is unknown."""
_MOST = 3.0  # spreads: what is farther from usual says no more


@dataclass(frozen=True, eq=False)
class Heard:
    """What a network made of traces, layer by layer: rows of each (wide, n, rows and pads), and the sums (n, ...)."""

    rows: list[Array]
    found: list[Array]
    sums: list[Array]
    odds: Array


class Ear:
    """A network ready to be asked. `symptoms` are those that it weighs with what it hears."""

    def __init__(self, symptoms: tuple[str, ...], weights: Weights) -> None:
        self.symptoms, self.weights = symptoms, weights
        wrong = [name for name, shape in shapes(len(symptoms)).items() if _shape_of(weights, name) != shape]
        if wrong:
            raise Malformed(f"This is no ear: it lacks {', '.join(wrong)}, or has them in another size.")
        if not all(np.isfinite(weight).all() for weight in weights.values()):
            raise Malformed("This is no ear: not all of its weights are numbers.")

    def known(self, symptoms: Array) -> Array:
        """Symptoms (n, m) as it weighs them (n, 2 m): none too large, and which are unknown."""
        unknown = symptoms < UNKNOWN_BELOW
        even = np.arcsinh(symptoms / self.weights["large"])
        even = np.clip((even - self.weights["usual"]) / self.weights["spread"], -_MOST, _MOST)
        return np.concatenate([np.where(unknown, np.float32(0), even), unknown], axis=1).astype(np.float32)

    def listen(self, heard: Array, known: Array, keep: tuple[Array, Array] = EVERYTHING) -> Heard:
        """What it makes of channels (n, channels, rows) and symptoms; who is taught may `keep` a part of it only."""
        many = len(heard)
        rows = [np.zeros((CHANNELS, many, ROWS + 2 * PAD), np.float32)]
        rows[0][:, :, PAD:-PAD] = heard.transpose(1, 0, 2)
        found: list[Array] = []
        for number, layer in enumerate(LAYERS):
            weight, bias = self.weights[f"layer{number}"], self.weights[f"bias{number}"]
            found.append(np.maximum(within(beside(rows[-1], weight, layer) + bias[:, None, None]), 0))
            rows.append(found[-1] + rows[-1] if number else found[-1])
        last = rows[-1][:, :, PAD:-PAD]
        pools = [last[:, :, -NEWEST:].mean(axis=2).T, last.max(axis=2).T, last.mean(axis=2).T]
        sums = [np.concatenate([*pools, known], axis=1) * keep[0]]
        sums.append(np.maximum(sums[0] @ self.weights["first"] + self.weights["first_bias"], 0) * keep[1])
        sums.append(np.maximum(sums[1] @ self.weights["second"] + self.weights["second_bias"], 0))
        odds = (sums[2] @ self.weights["last"] + self.weights["last_bias"])[:, 0]
        return Heard(rows, found, sums, odds)


class Ears:
    """Several ears, which weigh the same symptoms."""

    def __init__(self, ears: Sequence[Ear]) -> None:
        self._ears = tuple(ears)
        self.symptoms = self._ears[0].symptoms

    def __iter__(self) -> Iterator[Ear]:
        return iter(self._ears)

    def __len__(self) -> int:
        return len(self._ears)

    @classmethod
    def read(cls, data: bytes) -> Ears:
        """The ears of a file; Malformed when there are none in it."""
        try:
            with np.load(io.BytesIO(data), allow_pickle=False) as kept:
                together = {name: np.asarray(kept[name]) for name in kept.files}
            symptoms = tuple(str(name) for name in together.pop("symptoms"))
            apart = zip(*together.values(), strict=True)
            ears = [Ear(symptoms, dict(zip(together, weights, strict=True))) for weights in apart]
        except Malformed:
            raise
        except (BadZipFile, ValueError, TypeError, KeyError, EOFError, OSError, zlib.error) as error:
            raise Malformed("This is no ear: it is damaged, or something else altogether.") from error
        if not ears:
            raise Malformed("This is no ear: the file is empty.")
        return cls(ears)

    def to_bytes(self) -> bytes:
        """The ears as a file holds them: the weights of each name one above the other."""
        kept = io.BytesIO()
        together: dict[str, Any] = {
            name: np.stack([each.weights[name] for each in self]) for name in self._ears[0].weights
        }
        np.savez_compressed(kept, symptoms=np.array(self.symptoms), **together)
        return kept.getvalue()

    def odds(self, trace: Trace, symptoms: tuple[float, ...]) -> float:
        """The log odds that something fell, on the mean."""
        one = Trace(trace.loads[None], type(trace.ground)(*(each[None] for each in trace.ground)))
        heard, told = channels(one), np.array([symptoms], np.float32)
        return sum(float(ear.listen(heard, ear.known(told)).odds[0]) for ear in self) / len(self)


def beside(rows: Array, weight: Array, layer: tuple[int, int]) -> Array:
    """What a layer makes of rows (wide, n, rows and pads), each with its neighbours."""
    wide, many, long = rows.shape
    flat = rows.reshape(wide, -1)
    end = flat.shape[1] - PAD
    near = np.concatenate([flat[:, PAD + off : end + off] for off in offsets(layer)])
    made = np.zeros((weight.shape[1], flat.shape[1]), np.float32)
    made[:, PAD:end] = weight.transpose(1, 0, 2).reshape(len(made), -1) @ near
    return made.reshape(-1, many, long)


def offsets(layer: tuple[int, int]) -> list[int]:
    """Where the rows are that a layer looks at."""
    taps, apart = layer
    return [apart * (tap - taps // 2) for tap in range(taps)]


def within(rows: Array) -> Array:
    """Rows with nothing in their pads."""
    rows[:, :, :PAD] = rows[:, :, -PAD:] = 0
    return rows


def shapes(symptoms: int) -> dict[str, tuple[int, ...]]:
    """What an ear consists of, by name."""
    found: dict[str, tuple[int, ...]] = dict.fromkeys(("large", "usual", "spread"), (symptoms,))
    for number, (taps, _) in enumerate(LAYERS):
        found[f"layer{number}"] = (taps, WIDE, WIDE if number else CHANNELS)
        found[f"bias{number}"] = (WIDE,)
    found |= {"first": (HEARD + 2 * symptoms, FIRST), "first_bias": (FIRST,)}
    found |= {"second": (FIRST, SECOND), "second_bias": (SECOND,)}
    return found | {"last": (SECOND, 1), "last_bias": (1,)}


def _shape_of(weights: Weights, name: str) -> tuple[int, ...] | None:
    return weights[name].shape if name in weights else None
