"""The instructor's side: build, engine, judge, sandbox, gradebook, report, command line."""
import os as _os
import sys as _sys

# nbgrader calls a bare `alembic` for a new gradebook: this environment's programs come first
_programs = _os.path.dirname(_sys.executable)
if _programs not in _os.environ.get("PATH", "").split(_os.pathsep):
    _os.environ["PATH"] = _os.pathsep.join([_programs, _os.environ.get("PATH", _os.defpath)])
