"""The exception of salvo."""

from __future__ import annotations

import json


class SalvoError(ValueError):
    """A question that cannot be answered.

    Attributes:
        place: the wrong key of the question, such as ``"ships.red.tokens.focus"``; empty if unknown.
        message: a sentence about what is wrong and how to correct it.
        status: 2: the question is wrong; 3: it is too large for its budget; 4: a fault of salvo.
    """

    def __init__(self, message: str, place: str = "", status: int = 2):
        super().__init__(f"{place}: {message}" if place else message)
        self.place = place
        self.message = message
        self.status = status

    @property
    def path(self) -> str:
        """The same as ``place``, under the name that the server uses."""
        return self.place

    @property
    def remedy(self) -> str:
        """The part of the message that says how to correct the question; empty if there is none."""
        return self.message.rpartition("; ")[2] if "; " in self.message else ""

    def __reduce__(self):
        return type(self), (self.message, self.place, self.status)

    @classmethod
    def of_json(cls, text: str) -> SalvoError:
        """The error in an answer of salvo."""
        error = json.loads(text)["error"]
        return cls(error["message"], error["place"], error["status"])
