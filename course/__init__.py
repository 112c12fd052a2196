"""The program around the book, in rooms; each imports only those that stand below it.

    cli > lab > learner > grading > book > engine > sandbox
"""
import os as _os
import sys as _sys

# nbgrader calls a bare `alembic` for a new gradebook: this environment's programs come first
_programs = _os.path.dirname(_sys.executable)
if _programs not in _os.environ.get("PATH", "").split(_os.pathsep):
    _os.environ["PATH"] = _os.pathsep.join([_programs, _os.environ.get("PATH", _os.defpath)])

# jsonschema compiles its grammars of internationalised addresses, which no notebook holds, in every process that reads
# one: 0.8 s. Without them it leaves that one format unchecked.
_sys.modules.setdefault("rfc3987_syntax", None)
