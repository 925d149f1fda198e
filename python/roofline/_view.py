"""Structures of libroofline as objects: a class each, made of the type that the compiler knows. Nothing is
copied until it is read.

An object keeps alive what it is a part of. Unknown counts, indices and times are None.
"""
from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from enum import IntEnum
from functools import cache
from typing import Any, ClassVar, Optional

from . import _members
from ._call import path_bytes
from ._members import Member
from ._roofline import ffi, lib
from .errors import UsageError

STRUCTS = _members.structures(ffi)
_NAMES = {ctype: name for name, ctype in STRUCTS.items()}
ENUMS: dict[str, Any] = {
    name: IntEnum(_members.class_name(name), _members.enum_members(ctype), module="roofline.structs")
    for name, ctype in _members.enumerations(ffi).items()
}


_ENUMS_OF = {ffi.typeof(name): of for name, of in ENUMS.items()}


def text_of(pointer) -> Optional[str]:
    return ffi.string(pointer).decode("utf-8", "surrogateescape") if pointer else None


@cache
def _unknown(ctype) -> Optional[int]:
    """The number that stands for what is unknown: all bits of a count or an index."""
    bits = 8 * ffi.sizeof(ctype)
    return (1 << bits) - 1 if bits >= 32 and int(ffi.cast(ctype, -1)) > 0 else None


def _reader(of: Member) -> Callable[[Any, Any], Any]:
    """What makes a value of what the structure holds, and of the object that it is a part of."""
    if of.kind == "text":
        return lambda value, parent: text_of(value)
    if of.kind == "chars":
        return lambda value, parent: text_of(value)
    if of.kind == "bool":
        return lambda value, parent: bool(value)
    if of.kind == "float":
        return lambda value, parent: None if math.isnan(value) else value
    if of.kind == "int":
        unknown = _unknown(of.ctype)
        return lambda value, parent: None if value == unknown else value
    if of.kind == "enum":
        words = {int(word): word for word in _ENUMS_OF[of.ctype]}
        return lambda value, parent: words.get(value, value)
    if of.kind == "struct":
        return lambda value, parent: class_of(of.ctype)(value, parent)
    if of.kind == "object":
        return lambda value, parent: class_of(of.ctype.item)(value, parent) if value else None
    if of.kind == "array":
        element = _reader(of.of)
        return lambda value, parent: tuple(element(one, parent) for one in value)
    element, count = _reader(of.of), of.counted_by
    return lambda value, parent: Items(value, _count(parent, count) if value else 0, parent, element)


def _count(view: "View", path: str) -> int:
    if path.startswith("^"):
        struct, path = path[1:].split(".")
        view = view._above(struct)
    found = view._c
    for name in path.split("."):
        found = getattr(found, name)
    return 0 if found == _unknown(ffi.typeof("uint32_t")) or found == lib.ROOF_UNKNOWN else found


class Items(Sequence):
    """A list of the library's: what it has is read when it is requested."""

    __slots__ = ("_c", "_n", "_parent", "_element")

    def __init__(self, c, n: int, parent, element):
        self._c, self._n, self._parent, self._element = c, n, parent, element

    def __len__(self) -> int:
        return self._n

    def __getitem__(self, at):
        if isinstance(at, slice):
            return [self[i] for i in range(*at.indices(self._n))]
        i = at + self._n if at < 0 else at
        if not 0 <= i < self._n:
            raise IndexError(f"{at} of {self._n}")
        return self._element(self._c[i], self._parent)

    def __eq__(self, other) -> bool:
        return isinstance(other, Sequence) and not isinstance(other, str) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"[{', '.join(map(repr, self[:8]))}{', ...' if self._n > 8 else ''}]"


class View:
    """A structure of libroofline. Its members are attributes, as the public headers have them."""

    _struct: ClassVar[str] = ""
    _members: ClassVar[tuple] = ()
    _c: Any

    def __init__(self, c, parent=None):
        self._c, self._parent = c, parent

    def _above(self, struct: str) -> "View":
        """The nearest structure of that type that this one is a part of."""
        view = self
        while view is not None and view._struct != struct:
            view = view._parent
        if view is None:
            raise ValueError(f"a {self._struct} that is no part of a {struct}")
        return view

    def _address(self):
        """As a function takes it."""
        return self._c if ffi.typeof(self._c).kind == "pointer" else ffi.addressof(self._c)

    def __eq__(self, other) -> bool:
        return (
            isinstance(other, View) and self._struct == other._struct and self._address() == other._address()
        )

    def __hash__(self) -> int:
        return hash(self._address())

    def __repr__(self) -> str:
        name = next((getattr(self, word) for word in ("name", "id", "label") if word in self._members), None)
        return f"<{type(self).__name__}{f' {name!r}' if name is not None else ''}>"

    def to_dict(self) -> dict[str, Any]:
        """Its members and those of what it holds, as dictionaries and lists."""

        def plain(value):
            if isinstance(value, View):
                return value.to_dict()
            if isinstance(value, IntEnum):
                return value.name
            if isinstance(value, (Items, tuple)):
                return [plain(one) for one in value]
            return value

        return {name: plain(getattr(self, name)) for name in self._members}


_CLASSES: dict[str, Any] = {}


def _property(of: Member) -> property:
    read, name = _reader(of), of.name
    return property(lambda self: read(getattr(self._c, name), self))


def _make(struct: str) -> Any:
    shown = [of for of in _members.members(struct, STRUCTS[struct]) if _members.is_shown(of)]
    inside = {_members.attribute(of.name): _property(of) for of in shown}
    names = {
        "_struct": struct,
        "_members": tuple(inside),
        "__module__": "roofline.structs",
        "__doc__": f"The structure {struct} of libroofline.",
    }
    return type(_members.class_of(struct), (View,), inside | names)


STRUCT_CLASSES = {_members.class_of(struct): _make(struct) for struct in STRUCTS}
_CLASSES.update({of._struct: of for of in STRUCT_CLASSES.values()})


def class_of(ctype) -> Any:
    return _CLASSES[_NAMES[ctype]]


def stands_for(of):
    """A class that adds to that of a structure takes its place, wherever one is read."""
    _CLASSES[of._struct] = of
    return of


# --- options ----------------------------------------------------------------------------------------------


def options(struct: str, values: dict[str, Any], keep: list) -> Any:
    """A structure of options of named values. What it borrows is put into keep, which has to live as long as
    the call."""
    made = ffi.new(f"{struct} *")
    fill(struct, made, values, keep)
    keep.append(made)
    return made


def option_names(struct: str) -> list[str]:
    counts = {of.counted_by for of in _all_members(struct)}
    return [of.name for of in _all_members(struct) if _members.is_shown(of) and of.name not in counts]


@cache
def _all_members(struct: str) -> tuple[Member, ...]:
    return tuple(_members.members(struct, STRUCTS[struct]))


def text_columns(of: type[View]) -> list[str]:
    """The members of a class that are texts."""
    return [member.name for member in _all_members(of._struct) if member.kind == "text"]


def fill(struct: str, made, values: dict[str, Any], keep: list) -> None:
    members = {of.name: of for of in _all_members(struct)}
    for name, value in values.items():
        if name not in option_names(struct):
            raise TypeError(f"there is no option '{name}'; there are {', '.join(option_names(struct))}")
        if value is not None:
            _set(made, members[name], value, keep)


def _set(made, of: Member, value, keep: list) -> None:
    if of.kind == "list":
        values = list(value)
        if of.ctype.kind == "pointer":
            setattr(made, of.name, _kept(ffi.new(f"{of.ctype.item.cname}[]", len(values)), keep))
        elif len(values) > len(getattr(made, of.name)):
            raise ValueError(f"{of.name}: {len(values)} values, want at most {len(getattr(made, of.name))}")
        for i, one in enumerate(values):
            if of.of.kind == "struct":
                fill(_NAMES[of.of.ctype], getattr(made, of.name)[i], one, keep)
            else:
                getattr(made, of.name)[i] = _plain(of.of, one, keep)
        setattr(made, of.counted_by, len(values))
    elif of.kind == "struct":
        fill(_NAMES[of.ctype], getattr(made, of.name), value, keep)
    else:
        plain = _plain(of, value, keep)
        try:
            setattr(made, of.name, plain)
        except (TypeError, OverflowError) as failure:
            raise type(failure)(f"{of.name}: {failure}") from None


def _kept(value, keep: list):
    keep.append(value)
    return value


def _plain(of: Member, value, keep: list):
    if of.kind in ("text", "chars"):
        text = path_bytes(value)
        return text if of.kind == "chars" else _kept(ffi.new("char[]", text), keep)
    if of.kind == "enum":
        return _enum_value(of, value)
    if of.kind in ("object", "opaque"):
        if isinstance(value, dict):
            return options(_NAMES[of.ctype.item], value, keep)
        return _kept(value, keep)._address()
    if (
        of.kind == "float" and isinstance(value, (int, float)) and not value >= 0
    ):  # 0 is what is not asked for; NaN is a slip
        raise UsageError(f"{of.name}: {value}, want a number from 0 on")
    return value


def _enum_value(of: Member, value) -> int:
    words = _ENUMS_OF[of.ctype]
    try:
        return int(words[value.upper()] if isinstance(value, str) else words(value))
    except (KeyError, ValueError):
        raise UsageError(
            f"{of.name}: {value!r}, want one of {', '.join(word.lower() for word in words.__members__)}"
        ) from None
