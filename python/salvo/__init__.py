"""salvo: distributions of attacks in the X-Wing miniatures game, exact and sampled.

    import salvo
    engine = salvo.Engine()
    result = engine.run(attack=["3 focus lock range=1"], defend="3 evade hull=3")
    result.pmf("d")        # array: probability of 0, 1, 2, ... damage
    result["value"]        # as in docs/schemas/run.schema.json

docs/python.md is the guide; docs/format.md (Requests) describes questions.
"""

from ._salvo import commit as _commit
from ._salvo import verbs as _verbs
from ._salvo import version as __version__
from .engine import Engine
from .errors import SalvoError
from .result import Result, RunResult

__commit__: str = _commit
#: All verbs of ``Engine.request``.
VERBS: "tuple[str, ...]" = tuple(_verbs())

__all__ = ["VERBS", "Engine", "Result", "RunResult", "SalvoError", "__commit__", "__version__"]
