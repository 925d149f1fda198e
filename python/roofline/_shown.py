"""What results have in common: they are rendered, have tables, and say sentences."""
from __future__ import annotations

import base64
import csv
import html
import io
import os
import tempfile
from collections.abc import Iterator
from os import PathLike
from typing import Any, BinaryIO, Optional, Union

from ._call import call, path_bytes, replace_file, stream
from ._roofline import ffi, lib
from ._view import option_names, options, text_columns, text_of

Path = Union[str, "PathLike[str]"]
Table = list[dict[str, Any]]
NOTEBOOK_WIDTH, NOTEBOOK_ROWS = 130, 20


def sentence_of(function, *arguments) -> Optional[str]:
    buffer = ffi.new("char[]", lib.ROOF_SENTENCE_SIZE)  # which the result may point into
    return text_of(function(*arguments, buffer))


def sentences_of(function, *arguments) -> Iterator[str]:
    """The sentences that a function makes of 0, 1, ... up to the last."""
    i = 0
    while (text := sentence_of(function, *arguments, i)) is not None:
        yield text
        i += 1


def known(value: float) -> Optional[float]:
    return None if value != value else value


def split(values: dict[str, Any], *structures: str) -> list[dict[str, Any]]:
    """Named values, by the structure of options that each is a member of; the first one has those that are of
    none."""
    parts: list[dict[str, Any]] = [{} for _ in structures]
    for name, value in values.items():
        of = [i for i, struct in enumerate(structures) if name in option_names(struct)]
        if not of:
            known = sorted({name for struct in structures for name in option_names(struct)})
            raise TypeError(f"there is no option '{name}'; there are {', '.join(known)}")
        parts[of[0]][name] = value
    return parts


def until_none(at) -> Iterator[Any]:
    i = 0
    while (found := at(i)) is not None:
        yield found
        i += 1


# --- tables -----------------------------------------------------------------------------------------------


def _number(text: str) -> Union[int, float]:
    try:
        return int(text)
    except ValueError:
        return float(text)


def typed(rows: Table, texts: frozenset[str]) -> Table:
    """Cells as numbers in the columns that have nothing else, but for columns of names; an empty cell is
    None."""
    for column in rows[0] if rows else ():
        cells = [row[column] or None for row in rows]
        if column not in texts:
            try:
                cells = [cell if cell is None else _number(cell) for cell in cells]
            except ValueError:
                pass
        for row, cell in zip(rows, cells):
            row[column] = cell
    return rows


def _texts_of(row: type, *more: str) -> frozenset[str]:
    """The columns of a table that are texts: those that are so in the structure of its rows, and more."""
    return frozenset(text_columns(row)) | frozenset(more)


class Tabular:
    """Has a table of its rows, as the CSV has it."""

    _row: type
    _text_columns: tuple[str, ...] = ()

    def _csv(self) -> str:
        return self.render("csv", most_rows=0xFFFFFFFF)  # type: ignore[attr-defined]

    def table(self) -> Table:
        """All rows as dictionaries, with the columns of the CSV (docs/formats.md)."""
        rows = list(csv.DictReader(io.StringIO(self._csv())))
        return typed(rows, _texts_of(self._row, *self._text_columns))

    def to_pandas(self):
        """The same as a DataFrame of pandas."""
        try:
            import pandas  # type: ignore[import]
        except ImportError:
            raise ImportError(
                "pandas is not installed, which to_pandas needs (Debian: python3-pandas); "
                "table() gives the same rows without it"
            ) from None
        return pandas.DataFrame(self.table())


class Layered(Tabular):
    """Its rows are layers."""

    def layers_table(self) -> Table:
        """As table()."""
        return self.table()


class Picture:
    """A chart as SVG. A notebook shows it as a picture, in which nothing runs."""

    def __init__(self, svg: bytes):
        self.svg = svg

    def _repr_html_(self) -> str:
        data = base64.b64encode(self.svg).decode("ascii")
        return f'<img alt="roofline chart" style="max-width:100%" src="data:image/svg+xml;base64,{data}">'


class Drawn:
    """Can be drawn."""

    _drawer: Any  #: of libroofline

    def chart(self) -> Picture:
        """The chart of draw(), for a notebook."""
        with tempfile.TemporaryDirectory(prefix="roofline-") as folder:
            path = os.path.join(folder, "chart.svg")
            self.draw(path)
            with open(path, "rb") as file:
                return Picture(file.read())

    def draw(self, path: Path) -> None:
        """Draws it into a file that ends in .svg, .png or .pdf, with gnuplot."""
        call(self._drawer, self._address(), path_bytes(path), ffi.NULL)  # type: ignore[attr-defined]


class Rendered:
    """Can be shown in the formats of the command line."""

    _document: Any  #: its kind, of libroofline

    def _render(self, given, file: BinaryIO) -> None:
        stream(lib.roof_render_document, self._document, self._address(), given, file=file)  # type: ignore[attr-defined]

    def write(self, file: BinaryIO, format: str = "json", **render: Any) -> None:
        """Writes it into a file that is open for bytes, piece by piece."""
        keep: list = []
        self._render(options("roof_render_options", {"format": format, **render}, keep), file)

    def render(self, format: str = "text", **render: Any) -> str:
        """It as text: "text", "json", "csv", "markdown", ... Options are those of roofline/render.h: width,
        sort, details, ..."""
        out = io.BytesIO()
        self.write(out, format, **render)
        return out.getvalue().decode("utf-8", "surrogateescape")

    def _repr_html_(self) -> str:
        """As a notebook shows it: the answer, and the table behind it. All of it may come from files."""
        text = self.render("text", width=NOTEBOOK_WIDTH, most_rows=NOTEBOOK_ROWS)
        said, _, rest = text.encode("utf-8", "surrogateescape").decode("utf-8", "replace").partition("\n\n")
        return f"<div><p>{html.escape(said)}</p><pre>{html.escape(rest)}</pre></div>"

    def save(self, path: Path, format: str = "json", **render: Any) -> None:
        """Writes it into a file, whole or not at all."""
        replace_file(path, lambda file: self.write(file, format, **render))
