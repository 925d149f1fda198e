"""What is raised where a call of libroofline fails: an exception for each status, with the library's own
message."""
from __future__ import annotations

from typing import Optional

from ._roofline import ffi, lib


class Error(Exception):
    """A call of libroofline failed. The text says where, what was found and what was wanted."""

    status: str = ""  #: as roofline/status.def has it: "E_DATA"

    def __init__(
        self,
        message: str,
        where: str = "",
        what: str = "",
        byte_offset: Optional[int] = None,
        line: Optional[int] = None,
    ):
        super().__init__(message)
        self.where, self.what = where, what
        self.byte_offset, self.line = byte_offset, line


class UsageError(Error, ValueError):
    """The call is wrong."""

    status = "E_USAGE"


class DataError(Error):
    """A file is damaged, or says what cannot be."""

    status = "E_DATA"


class UnsupportedError(Error):
    """The file is of a kind that cannot be analysed."""

    status = "E_UNSUPPORTED"


class LimitError(Error):
    """The data exceeds a limit."""

    status = "E_LIMIT"


class NoInputError(Error):
    """A file, or a piece of hardware, is not there."""

    status = "E_NO_INPUT"


class DeviceError(Error):
    """A device or another program is not available, such as gnuplot."""

    status = "E_DEVICE"


class InternalError(Error):
    """A fault of libroofline itself."""

    status = "E_INTERNAL"


class NoMemoryError(Error, MemoryError):
    """Memory ran out."""

    status = "E_NO_MEMORY"


class InputOutputError(Error):
    """Reading or writing failed."""

    status = "E_IO"


_CLASSES = {of.status: of for of in Error.__subclasses__()}
_MESSAGE_SIZE = 1500  # where, what, and the place behind them


def error_of(status: int, err) -> Error:
    """The exception of a filled roof_error."""
    name = ffi.typeof("roof_status").elements.get(status, "")
    message = ffi.new("char[]", _MESSAGE_SIZE)
    lib.roof_error_format(err, message, _MESSAGE_SIZE)

    def text(of):
        return ffi.string(of).decode("utf-8", "surrogateescape")

    def known(number):
        return None if number == lib.ROOF_UNKNOWN else number

    return _CLASSES.get(name[len("ROOF_") :], Error)(
        text(message), text(err.where), text(err.what), known(err.byte_offset), known(err.line)
    )
