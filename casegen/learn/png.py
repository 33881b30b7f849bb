"""Draws shapes as PNG, with Pillow."""

from __future__ import annotations

import io
from collections.abc import Sequence

from PIL import Image, ImageDraw, ImageFont

from casegen.schemas.errors import printable

from .plot import TALL, WIDE, Line, Words

_FINER = 2  # drawn that much larger and made smaller again, so that slanted lines are smooth
_ANCHORS = {"start": "ls", "middle": "ms", "end": "rs"}  # Pillow's names, on the base line


def png(shapes: Sequence[Line | Words]) -> bytes:
    """The drawing as a file."""
    image = Image.new("RGB", (WIDE * _FINER, TALL * _FINER), "white")
    pen = ImageDraw.Draw(image)
    for shape in shapes:
        if isinstance(shape, Line):
            places = [(x * _FINER, y * _FINER) for x, y in shape.points]
            pen.line(places, fill=shape.color, width=shape.width * _FINER, joint="curve")
        else:
            font = ImageFont.load_default(shape.size * _FINER)
            place = (shape.x * _FINER, shape.y * _FINER)
            text = printable(shape.text)
            pen.text(place, text, fill=shape.color, font=font, anchor=_ANCHORS[shape.anchor])
    told = io.BytesIO()
    image.resize((WIDE, TALL), Image.Resampling.LANCZOS).save(told, "PNG")
    return told.getvalue()
