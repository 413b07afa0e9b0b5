"""Answers: JSON objects as mappings, with distributions as arrays."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

_CAVEATS = ("assumed_facts", "unmodelled", "no_effect", "partly", "notes")


class Result(Mapping[str, Any]):
    """An answer: the JSON object that the command prints, parsed on first use.

    ``result["ships"]["d"]["damage"]["mean"]`` and ``dict(result)`` work as with a dictionary. Do not modify its content.
    """

    __slots__ = ("_arrays", "_data", "text", "verb")

    def __init__(self, text: str, verb: str = ""):
        #: The answer as JSON, on one line for ``run``.
        self.text = text
        #: The verb of the question: ``"run"``, ``"squad"``, ...
        self.verb = verb
        self._data: dict[str, Any] | None = None
        self._arrays: dict[tuple[str, ...], npt.NDArray[np.float64]] = {}

    @property
    def data(self) -> dict[str, Any]:
        """The answer as a dictionary."""
        if self._data is None:
            self._data = json.loads(self.text)
        return self._data

    def __getitem__(self, key: str) -> Any:
        return self.data[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.data)

    def __len__(self) -> int:
        return len(self.data)

    def __repr__(self) -> str:
        head = self.text.replace("\n", " ")
        return f"<salvo {self.verb or 'answer'}: {head if len(head) <= 100 else head[:97] + '...'}>"

    def __reduce__(self):
        return type(self), (self.text, self.verb)

    @property
    def caveats(self) -> dict[str, list[str]]:
        """What the answer assumes and omits, by kind; kinds without an entry are left out."""
        return {kind: self.data[kind] for kind in _CAVEATS if self.data.get(kind)}

    def _repr_html_(self) -> str:
        pretty = escape(json.dumps(self.data, indent=1, ensure_ascii=False))
        return (f"<details open><summary>salvo {escape(self.verb)}</summary>{_caveats_html(self.caveats)}"
                f"<pre style='max-height: 24em; overflow: auto'>{pretty}</pre></details>")


class RunResult(Result):
    """The answer of ``Engine.run`` (docs/schemas/run.schema.json)."""

    __slots__ = ()

    @property
    def value(self) -> float:
        """The value of the objective, mine minus theirs: damage, ships destroyed, health or share of health."""
        return self.data["value"]

    @property
    def ships(self) -> list[str]:
        """Names of the ships, in order of name."""
        return list(self.data["ships"])

    @property
    def attacked(self) -> list[str]:
        """Names of the ships that an attack targets."""
        on = {attack["on"] for attack in self.data["attacks"]}
        return [name for name in self.ships if name in on]

    def _ship(self, name: str) -> dict[str, Any]:
        ships = self.data["ships"]
        if name not in ships:
            raise KeyError(f"there is no ship {name!r}; there are {', '.join(map(repr, ships))}")
        return ships[name]

    def _array(self, key: tuple[str, ...], make: Any) -> npt.NDArray[np.float64]:
        if key not in self._arrays:
            array = np.asarray(make(), dtype=np.float64)
            array.setflags(write=False)
            self._arrays[key] = array
        return self._arrays[key]

    def pmf(self, ship: str) -> npt.NDArray[np.float64]:
        """The distribution of damage to a ship.

        Returns:
            shape ``(most + 1,)``: ``[k]`` is the probability of exactly k damage. Read-only and cached: further calls
            return the same array.
        """
        return self._array(("pmf", ship), lambda: self._ship(ship)["damage"]["pmf"])

    def at_least(self, ship: str) -> npt.NDArray[np.float64]:
        """Shape ``(most + 1,)``: ``[k]`` is the probability of k damage or more. Read-only."""
        return self._array(("at_least", ship), lambda: self._ship(ship)["damage"]["at_least"])

    def joint(self, ship: str) -> npt.NDArray[np.float64]:
        """The joint distribution of uncancelled hits and crits on a ship, in all attacks together.

        Returns:
            shape ``(hits + 1, crits + 1)``: ``[h, c]`` is the probability of exactly h hits and c crits. Read-only.
        """

        def make() -> npt.NDArray[np.float64]:
            entries = self._ship(ship)["joint"]
            out = np.zeros((1 + max((h for h, _, _ in entries), default=0),
                            1 + max((c for _, c, _ in entries), default=0)))
            for hits, crits, probability in entries:
                out[hits, crits] = probability
            return out

        return self._array(("joint", ship), make)

    def mean(self, ship: str) -> float:
        """Mean damage to a ship."""
        return self._ship(ship)["damage"]["mean"]

    def destroyed(self, ship: str) -> float:
        """The probability that a ship is destroyed."""
        return self._ship(ship)["destroyed"]

    def plot(self, ax: Any = None, *, ships: list[str] | None = None) -> Any:
        """Draws the distribution of damage of each attacked ship as bars, with matplotlib.

        Args:
            ax: the axes to draw on; None: the axes of a new figure.
            ships: names; None: all attacked ships.

        Returns:
            the axes.
        """
        try:
            import matplotlib.pyplot as plt
        except ImportError as error:
            raise ImportError("plot() needs matplotlib; install python3-matplotlib") from error
        if ax is None:
            ax = plt.subplots()[1]
        names = self.attacked if ships is None else ships
        width = 0.8 / max(len(names), 1)
        for number, name in enumerate(names):
            pmf = self.pmf(name)
            ax.bar(np.arange(len(pmf)) + (number - (len(names) - 1) / 2) * width, pmf, width,
                   label=f"{name}: mean {self.mean(name):.2f}")
        ax.set_xlabel("damage")
        ax.set_ylabel("probability")
        ax.xaxis.get_major_locator().set_params(integer=True)
        ax.legend()
        return ax

    def _repr_html_(self) -> str:
        rows = []
        for name in self.attacked:
            ship = self._ship(name)
            destroyed = f"{ship['destroyed']:.1%}" if ship["hull"] else "&ndash;"
            rows.append(f"<tr><td>{escape(name)}</td><td>{ship['damage']['mean']:.3f}</td><td>{destroyed}</td>"
                        f"<td>{_bars(self.pmf(name))}</td></tr>")
        sampled = f", {self.data['sample']['trials']:,} trials" if "sample" in self.data else ""
        return (f"<table><caption>value {self.value:.4f} ({escape(self.data['objective'])}, "
                f"{escape(self.data['engine'])}{sampled})</caption><thead><tr><th>ship</th><th>mean damage</th>"
                f"<th>destroyed</th><th>damage</th></tr></thead><tbody>{''.join(rows)}</tbody></table>"
                f"{_caveats_html(self.caveats)}")


def _bars(pmf: npt.NDArray[np.float64]) -> str:
    """An SVG picture of a distribution, with a bar for each amount of damage."""
    height, width = 40, 14
    most = max(float(pmf.max()), 1e-12)
    bars = "".join(
        f'<rect x="{k * width + 1}" y="{height * (1 - p / most):.1f}" width="{width - 2}" height="{height * p / most:.1f}" '
        f'fill="#4878a8"><title>{k}: {p:.2%}</title></rect>'
        f'<text x="{k * width + width / 2}" y="{height + 11}" font-size="9" text-anchor="middle" fill="currentColor">{k}</text>'
        for k, p in enumerate(pmf.tolist()))
    return f'<svg width="{len(pmf) * width}" height="{height + 13}" role="img">{bars}</svg>'


def _caveats_html(caveats: dict[str, list[str]]) -> str:
    items = "".join(f"<li>{escape(kind.replace('_', ' '))}: {escape('; '.join(words))}</li>" for kind, words in caveats.items())
    return f"<ul>{items}</ul>" if items else ""
