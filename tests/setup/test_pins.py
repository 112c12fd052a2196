"""The pins of requirements.txt, environment.yml and pyproject.toml agree, and are those of the environment."""
import re
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[2]
PIN = re.compile(r"([A-Za-z0-9._-]+)==([A-Za-z0-9.]+)$")


def name_of(package: str) -> str:
    return re.sub(r"[-_.]+", "-", package).lower()


def pins(lines) -> dict[str, str]:
    found = {}
    for line in lines:
        match = PIN.match(line)
        assert match, f"{line!r} is no exact pin: write name==version"
        assert name_of(match[1]) not in found, f"{match[1]} is pinned twice"
        found[name_of(match[1])] = match[2]
    return found


def pins_of(name: str) -> dict[str, str]:
    lines = (ROOT / name).read_text().splitlines()
    return pins(line for line in lines if line and not line.startswith("#"))


@pytest.fixture(scope="module")
def required() -> dict[str, str]:
    return pins_of("requirements.txt")


@pytest.fixture(scope="module")
def project() -> dict:
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def test_environment_yml_has_the_same_pins(required):
    dependencies = yaml.safe_load((ROOT / "environment.yml").read_text())["dependencies"]
    assert "python=3.11" in dependencies
    assert pins(next(d for d in dependencies if isinstance(d, dict))["pip"]) == required


def test_pyproject_pins_its_direct_dependencies_the_same(required, project):
    direct = pins(project["dependencies"]) | pins(project["optional-dependencies"]["dev"])
    assert {name: required.get(name) for name in direct} == direct
    build = pins(tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]["requires"])
    assert {name: required.get(name) for name in build} == build


def test_benchmarks_pin_only_what_they_add(required, project):
    added = pins_of("requirements-benchmarks.txt")
    asked = pins(project["optional-dependencies"]["benchmarks"])
    assert not set(added) & set(required)
    assert {name: added.get(name) for name in asked} == asked


def test_every_installed_dependency_is_pinned(required, project):
    """Follows what the direct dependencies ask for, down to the last, in the metadata of what is installed."""
    todo = [Requirement(line) for part in (project["dependencies"], project["optional-dependencies"]["dev"]) for line in part]
    seen, missing = set(), set()
    while todo:
        wanted = todo.pop()
        key = (name_of(wanted.name), tuple(sorted(wanted.extras)))
        if key in seen or key[0].startswith(("nvidia", "cuda", "triton")):
            continue
        seen.add(key)
        if key[0] not in required:
            missing.add(key[0])
        for line in metadata.requires(wanted.name) or []:
            needed = Requirement(line)
            if any(not needed.marker or needed.marker.evaluate({"extra": extra}) for extra in ("", *wanted.extras)):
                todo.append(needed)
    assert not missing, f"in use but not pinned in requirements.txt: {sorted(missing)}"


def test_the_environment_holds_the_pinned_versions(required):
    installed = {name: metadata.version(name).split("+")[0] for name in required | pins_of("requirements-no-deps.txt")}
    assert installed == required | pins_of("requirements-no-deps.txt")


def test_no_cuda_package_is_pinned(required):
    assert not [name for name in required if name.startswith(("nvidia", "cuda", "triton"))]
