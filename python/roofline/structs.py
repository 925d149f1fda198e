"""A class for each structure and each enumeration of libroofline's public headers, which say what their
members mean."""
from ._members import class_name as _class_name
from ._view import ENUMS as _ENUMS
from ._view import STRUCT_CLASSES as _STRUCT_CLASSES

globals().update(_STRUCT_CLASSES)
globals().update({_class_name(name): of for name, of in _ENUMS.items()})
__all__ = [*_STRUCT_CLASSES, *map(_class_name, _ENUMS)]
