"""The rooms of course/: imports go one way, and there is no circle."""
import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("lab", "learner", "grading", "book", "engine", "sandbox")      # each imports those to its right
TOP = {"cli", "doctor", "__init__", "__main__", "where", "whole"}     # course/ itself; the last two may be used by all


def modules(package: str) -> dict[str, Path]:
    """The modules of a package by their dotted names; the students' launcher is a program of its own."""
    found = {}
    for path in sorted((ROOT / package).rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        if "handout" not in parts:
            found[".".join(parts).removesuffix(".__init__")] = path
    return found


def imports(path: Path, package: str, known: dict[str, Path]) -> set[str]:
    """The modules of the package that this one imports, wherever the import stands, and those that it names as text
    ("course.engine.student:serve")."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            inside = {f"{node.module}.{alias.name}" for alias in node.names} & set(known)
            found |= inside or {node.module}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.count(".") > 1:
            found.add(node.value.partition(":")[0])
    return {name for name in found if name in known and name.startswith(package)}


def rank(module: str) -> int:
    room = module.split(".")[1] if "." in module else "__init__"
    if room in ("where", "whole"):
        return len(ROOMS)
    return ROOMS.index(room) if room in ROOMS else -1


def test_every_module_has_a_room():
    strays = [name for name in modules("course") if rank(name) == -1 and name.split(".")[-1] not in TOP and name != "course"]
    assert not strays, f"{strays} stand beside the rooms: put them into one"


def test_imports_go_one_way():
    known = modules("course")
    wrong = [f"{name} imports {other}: {other.split('.')[1]} stands above {name.split('.')[1]}"
             for name, path in known.items() for other in imports(path, "course", known)
             if other != "course" and rank(other) < rank(name)]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("package", ["course", "d2l_utils"])
def test_there_is_no_circle(package):
    known = modules(package)
    arrows = {name: imports(path, package, known) - {name} for name, path in known.items()}

    def circle(name: str, way: tuple[str, ...]) -> tuple[str, ...] | None:
        if name in way:
            return way[way.index(name):] + (name,)
        if name in done:
            return None
        found = next((c for other in sorted(arrows[name]) if (c := circle(other, way + (name,)))), None)
        done.add(name)
        return found

    done: set[str] = set()
    found = next((c for name in sorted(known) if (c := circle(name, ()))), None)
    assert found is None, " imports ".join(found)


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_says_what_it_is_for(room):
    text = ast.get_docstring(ast.parse((ROOT / "course" / room / "__init__.py").read_text(encoding="utf-8")))
    assert text and text.split("\n")[0].endswith("."), f"course/{room}/__init__.py begins with a sentence on the room"
