"""The engine: questions in, answers out."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Union, overload

import numpy as np

from . import _salvo
from .errors import SalvoError
from .result import Result, RunResult

if TYPE_CHECKING:
    import pandas as pd
    from typing_extensions import Unpack  # type checkers know it; older versions of Python lack typing.Unpack

    from . import questions

Question = Union[Mapping[str, Any], str]
"""A question: a mapping with the keys of docs/format.md (Requests), or the same as JSON."""

_HERE = Path(__file__).resolve().parent
_CHUNK = 250_000  # cells of a sweep answered at a time: about 2 MB per column


def _plain(value: Any) -> Any:
    """Converts what json cannot encode: NumPy numbers and arrays, pandas columns, other mappings."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} has no form in JSON{_of_file(value)}")


def _of_file(value: Any) -> str:
    """A hint for a caller who passed a path instead of the content of the file."""
    return "; give what is in the file, as path.read_text()" if isinstance(value, os.PathLike) else ""


_encode = json.JSONEncoder(default=_plain, allow_nan=False).encode


def _json(value: Any) -> str:
    try:
        return _encode(value)
    except (TypeError, ValueError, RecursionError) as error:
        raise SalvoError(f"the question cannot be written as JSON: {error}") from None


def _utf8(text: str) -> str:
    """Checks that a text can be encoded: a str may contain lone surrogates, which UTF-8 cannot represent."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise SalvoError(f"the question cannot be written as UTF-8: {error}") from None
    return text


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SalvoError(f"the question is no JSON: {error}") from None


def _check_list(questions: Any) -> None:
    """Rejects a single question, and a DataFrame, which would iterate over its columns."""
    if isinstance(questions, (str, bytes, Mapping)) or hasattr(questions, "to_dict") or not isinstance(questions, Iterable):
        raise SalvoError(f"questions are a list of mappings or JSON, not {type(questions).__name__}; write [question], or of a "
                         'DataFrame frame.to_dict("records")', "questions")


def _body(question: Question | None, keys: Mapping[str, Any]) -> str:
    if isinstance(question, str):
        if not keys:
            return _utf8(question)
        question = _value(question)
    if not isinstance(question, (Mapping, type(None))):
        raise SalvoError(f"a question is a mapping or JSON, not {type(question).__name__}{_of_file(question)}")
    return _json({**(question or {}), **keys} if keys else question or {})


class Engine:
    """Answers questions with one set of profiles (rules, ships, cards).

    Creating an engine opens no files; each is read and cached when a question first needs it. An engine may be used from
    several threads at once. Methods that answer release the GIL and can be interrupted with Ctrl-C.

    Args:
        profiles: the folder with the profiles; None: the environment variable ``SALVO_PROFILES``, or those of the package.
        threads: number of threads per question, at most 1024; 0: all cores. It never changes an answer.

    Raises:
        SalvoError: the folder has no profiles, or `threads` is out of range.
    """

    def __init__(self, profiles: str | os.PathLike[str] | None = None, *, threads: int = 0):
        packed = _HERE / "profiles"
        if profiles is None and not os.environ.get("SALVO_PROFILES") and packed.is_dir():
            profiles = packed
        self._engine = _salvo.Engine(os.fspath(profiles) if profiles is not None else "")
        if not isinstance(threads, (int, np.integer)) or not 0 <= threads <= _salvo.most_threads:
            raise SalvoError(f"{threads!r} is not a whole number from 0 to {_salvo.most_threads}", "threads")
        self._threads = int(threads)

    @property
    def profiles(self) -> str:
        """The folder with the profiles."""
        return self._engine.profiles

    def __repr__(self) -> str:
        return f"salvo.Engine({self.profiles!r})"

    # ---- Questions --------------------------------------------------------------------------------------------------

    def request(self, verb: str, question: Question | None = None, /, **keys: Any) -> Result:
        """Asks any verb of docs/format.md (Requests). `keys` are added to the question and override its own."""
        good, text = self._engine.request(verb, _body(question, keys), self._threads)
        if not good:
            raise SalvoError.of_json(text)
        return (RunResult if verb == "run" else Result)(text, verb)

    def run(self, scenario: Question | None = None, /, **keys: Unpack[questions.RunKeys]) -> RunResult:
        """Answers one scenario: what its attacks do.

        Args:
            scenario: a mapping with the keys of docs/format.md; or omit it and give `attack` (a list of SPECs) and `defend`;
                one SPEC of either alone asks for its roll.
            keys: further keys, such as ``engine="sample"``, ``trials=100_000``, ``seed=1``, ``objective="kill"``.

        Returns:
            the answer, with ``pmf(ship)`` and ``joint(ship)`` as arrays.
        """
        result = self.request("run", scenario, **keys)
        assert isinstance(result, RunResult)
        return result

    def advise(self, scenario: Question | None = None, /, **keys: Unpack[questions.AdviseKeys]) -> Result:
        """The value of each play at a decision (`point`), in units of the objective."""
        return self.request("advise", scenario, **keys)

    def luck(self, scenario: Question | None = None, /, **keys: Unpack[questions.LuckKeys]) -> Result:
        """The luck in one attack: a scenario with `point` and the resulting `damage`."""
        return self.request("luck", scenario, **keys)

    def review(self, log: str | Sequence[Mapping[str, Any]], /, **keys: Unpack[questions.ReviewKeys]) -> Result:
        """Reviews a game: the text of its log, or the objects of its JSON lines (docs/review.md)."""
        return self.request("review", None, log=log if isinstance(log, str) or not isinstance(log, Iterable) else list(log), **keys)

    def worth(self, scenario: Question | None = None, /, **keys: Unpack[questions.WorthKeys]) -> Result:
        """The value of one more token, shield or die, in units of the objective."""
        return self.request("worth", scenario, **keys)

    def order(self, scenario: Question | None = None, /, **keys: Unpack[questions.OrderKeys]) -> Result:
        """In which order ships of one initiative should shoot (`side`: ``"mine"`` or ``"theirs"``)."""
        return self.request("order", scenario, **keys)

    def squad(self, squad: Question, /, **keys: Unpack[questions.SquadKeys]) -> Result:
        """Reports on every ship of a squad: XWS as a mapping or JSON, a list in words, a link or a SPEC; `against`, `range`."""
        return self.request("squad", None, squad=squad, **keys)

    def compare(self, items: Sequence[Question], /, **keys: Unpack[questions.CompareKeys]) -> Result:
        """Ranks loadouts (SPECs, XWS, links) by their effect on defenders: `defend`, `by`, `tokens`, `range`, `weapon`."""
        return self.request("compare", None, items=items, **keys)

    def battle(self, mine: Any, theirs: Any, /, **keys: Unpack[questions.BattleKeys]) -> Result:
        """Two squads round after round (docs/battles.md): XWS, links or SPECs; `flight`, `rounds`, `first`, `my_policy`, ..."""
        return self.request("battle", None, mine=mine, theirs=theirs, **keys)

    def gauntlet(self, squads: Sequence[Any], /, **keys: Unpack[questions.GauntletKeys]) -> Result:
        """Each squad against each other: `weights`, `flight`, `rounds`, `policy`. Only `salvo request` computes the mix."""
        return self.request("gauntlet", None, squads=squads, **keys)

    def durability(self, question: Question | None = None, /, **keys: Unpack[questions.DurabilityKeys]) -> Result:
        """How many shots a ship survives: `attack` and `defend` as SPECs, or ``all=True``; `refresh`, `round`, `tail`."""
        return self.request("durability", question, **keys)

    def hazard(self, hazard: str = "list", /, **keys: Unpack[questions.HazardKeys]) -> Result:
        """Dice outside attacks: the id of a bomb, mine or obstacle, with `ships` (SPECs), `situation`, `times`."""
        return self.request("hazard", None, hazard=hazard, **keys)

    def ships(self, words: str = "", /, **keys: Unpack[questions.ShipsKeys]) -> Result:
        """Ships whose names contain these words; all ships if empty."""
        return self._find("ships", words, keys)

    def pilots(self, words: str = "", /, **keys: Unpack[questions.PilotsKeys]) -> Result:
        """Pilots whose names contain these words; all pilots if empty."""
        return self._find("pilots", words, keys)

    def upgrades(self, words: str = "", /, **keys: Unpack[questions.UpgradesKeys]) -> Result:
        """Upgrades whose names contain these words; all upgrades if empty."""
        return self._find("upgrades", words, keys)

    def weapons(self, words: str = "", /, **keys: Unpack[questions.WeaponsKeys]) -> Result:
        """Torpedoes, cannons and the like whose names contain these words; all of them if empty."""
        return self._find("weapons", words, keys)

    def cards(self, **keys: Unpack[questions.CardsKeys]) -> Result:
        """The card library: ``list=True`` with `kind`, `search`, `partly`; or `show`; or `check` with the text of a card."""
        return self.request("cards", None, **keys)

    def rules(self, **keys: Unpack[questions.RulesKeys]) -> Result:
        """Which rules are modelled, and which are left out: `edition`, `search`, `left_out`."""
        return self.request("rules", None, **keys)

    def _find(self, verb: str, words: str, keys: Mapping[str, Any]) -> Result:
        return self.request(verb, {"words": words} if words else {}, **keys)

    # ---- Many questions ---------------------------------------------------------------------------------------------

    @overload
    def batch(self, questions: Sequence[Question], *, verb: str = "run", columns: None = None,
              errors: str = "raise", **options: Any) -> list[Result | SalvoError]: ...
    @overload
    def batch(self, questions: Sequence[Question], *, columns: str | Sequence[str], **options: Any) -> pd.DataFrame: ...

    def batch(self, questions, *, verb="run", columns=None, errors="raise", **options):
        """Answers many questions at once, on all cores and without the GIL, in order.

        Args:
            questions: mappings or JSON.
            verb: the verb of each question.
            columns: None: return one answer per question. Names as for ``sweep`` (``"mean,destroyed"``): the questions are
                scenarios with the same keys, and the result has one row of these figures per question. Questions with equal
                sides share the work on them, which is many times faster.
            errors: ``"raise"``: raise the error of the first question that cannot be answered; ``"return"``: put its
                SalvoError in its place in the list. With `columns`, the column ``error`` contains the errors.
            options: with `columns`: options for all questions (``engine``, ``trials``, ``cards``, ...).

        Returns:
            a list of answers, or with `columns` a DataFrame of shape ``(len(questions), len(columns))``.
        """
        if errors not in ("raise", "return"):
            raise SalvoError('errors is "raise" or "return"', "errors")
        _check_list(questions)
        if columns is not None:
            return self._figures(questions, columns, options)
        if options:
            raise SalvoError("without columns, options stand in the questions", next(iter(options)))
        bodies = [_utf8(question) if isinstance(question, str) else _json(question) for question in questions]
        kind = RunResult if verb == "run" else Result
        out: list[Result | SalvoError] = []
        for good, text in self._engine.batch(verb, bodies, self._threads):
            if good:
                out.append(kind(text, verb))
            elif errors == "return":
                out.append(SalvoError.of_json(text))
            else:
                error = SalvoError.of_json(text)
                raise SalvoError(f"question {len(out)}: {error.message}", error.place, error.status)
        return out

    def _figures(self, questions: Sequence[Question], columns: str | Sequence[str], options: Mapping[str, Any]) -> pd.DataFrame:
        items = [_value(question) if isinstance(question, str) else question for question in questions]
        if not items:
            raise SalvoError("there is no question; give at least one", "questions")
        try:
            grid, numbers = _salvo.grid_of(items, _plain, _json)
        except SalvoError:
            raise
        except (TypeError, ValueError, RecursionError) as error:
            raise SalvoError(str(error), "questions") from None
        cells = self._engine.cells(grid, _names(columns), _json(options), self._threads)
        return _frame(cells.read_these(numbers))

    @overload
    def sweep(self, grid: Question, *, columns: str | Sequence[str] | None = None, chunk: None = None,
              **options: Any) -> pd.DataFrame: ...
    @overload
    def sweep(self, grid: Question, *, columns: str | Sequence[str] | None = None, chunk: int,
              **options: Any) -> Iterator[pd.DataFrame]: ...

    def sweep(self, grid, *, columns=None, chunk=None, **options):
        """Answers every cell of a grid, one row each, in grid order: the last key varies fastest.

        Args:
            grid: a scenario with ``grid`` or ``axis`` (docs/format.md: Sweeps): a mapping, JSON, or TOML.
            columns: names as for ``salvo sweep --columns``, in a list or separated by commas: ``"axes"``, ``"mean"``,
                ``"at_least"``, ``"cost"``, ``"caveats"``, ``"black.at_least_3"``, ...; None: all.
            chunk: None: all rows in one DataFrame. A number: an iterator of DataFrames with this many rows; memory
                holds one of them at a time.
            options: options for all cells (``engine``, ``trials``, ``cards``, ``objective``, ...).

        Returns:
            a DataFrame, or an iterator of them. Figures are float64 (damage, or probabilities from 0 to 1; NaN if missing),
            whole numbers int64, words categories (missing if there are none). The index is the cell number.
        """
        text = _utf8(grid) if isinstance(grid, str) else _json(grid)
        cells = self._engine.cells(text, _names(columns), _json(options), self._threads)
        chunks = _chunks(cells, _CHUNK if chunk is None else chunk)
        return chunks if chunk is not None else _joined(list(chunks))


def _names(columns: str | Sequence[str] | None) -> list[str]:
    if columns is None:
        return []
    return columns.replace(",", " ").split() if isinstance(columns, str) else list(columns)


def _chunks(cells: Any, size: int) -> Iterator[pd.DataFrame]:
    if size < 1:
        raise SalvoError("a chunk has at least one row", "chunk")
    for first in range(0, len(cells), size):
        yield _frame(cells.read(first, size), first)


def _frame(columns: Mapping[str, Any], first: int = 0) -> pd.DataFrame:
    """The arrays of a chunk as a DataFrame, without copying them."""
    try:
        import pandas as pd
    except ImportError as error:
        raise ImportError("tables need pandas; install python3-pandas") from error
    out, rows = {}, 0
    for name, column in columns.items():
        if isinstance(column, tuple):
            codes, words = column
            column = pd.Categorical.from_codes(codes, words)
        out[name] = pd.Series(column, copy=False)
        rows = len(column)
    frame = pd.DataFrame(out, copy=False)
    frame.index = pd.RangeIndex(first, first + rows, name="row" if "cell" in columns else "cell")
    return frame


def _joined(chunks: list[pd.DataFrame]) -> pd.DataFrame:
    import pandas as pd

    if len(chunks) == 1:
        return chunks[0]
    # Later chunks know more words: all get those of the last.
    for name in chunks[-1].columns:
        if isinstance(chunks[-1][name].dtype, pd.CategoricalDtype):
            words = chunks[-1][name].cat.categories
            for chunk in chunks[:-1]:
                chunk[name] = chunk[name].cat.set_categories(words)
    out = pd.concat(chunks, copy=False)
    out.index = pd.RangeIndex(len(out), name=chunks[0].index.name)
    return out
