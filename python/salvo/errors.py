"""What salvo raises."""

from __future__ import annotations

import json


class SalvoError(ValueError):
    """A question that cannot be answered.

    Attributes:
        place: the key of the question that is wrong, such as ``"ships.red.tokens.focus"``; empty where none is known.
        message: a sentence that says what is wrong and what would be right.
        status: 2: the question is wrong; 3: it is too large for its budget; 4: a fault of salvo.
    """

    def __init__(self, message: str, place: str = "", status: int = 2):
        super().__init__(f"{place}: {message}" if place else message)
        self.place = place
        self.message = message
        self.status = status

    @property
    def path(self) -> str:
        """The same as ``place``; the server calls it so."""
        return self.place

    @property
    def remedy(self) -> str:
        """The end of the message where that says what would be right; else empty."""
        return self.message.rpartition("; ")[2] if "; " in self.message else ""

    def __reduce__(self):
        return type(self), (self.message, self.place, self.status)

    @classmethod
    def of_json(cls, text: str) -> SalvoError:
        """The error that an answer of salvo holds."""
        error = json.loads(text)["error"]
        return cls(error["message"], error["place"], error["status"])
