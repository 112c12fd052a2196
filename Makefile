# make lab     the book in JupyterLab
# make env     just the environment, .venv/, which the others use
# >>> instructor: `course bundle` leaves these parts out of what students receive
# make grade   a demonstration class, graded: a chapter; ALL=1 for the whole book
# make test    the suite; of what is dear a part, another with each commit: of the long test modules and the attacks a
#              third, of the other answers all in one section and a few of the rest, stock nbgrader's verdicts on one section
# make test-gates   the gates on all exercises
# make test-stock   stock nbgrader's verdicts on all sections
# make site    the book as a web site, in site/
# make bench   the benchmarks
# <<< instructor

# pip install, with a line that says what it is at
PIP := .venv/bin/python start.py --pip
PINS := requirements.txt
# >>> instructor
PINS += requirements-no-deps.txt
# <<< instructor
STAMP := .venv/made-here
# nbgrader calls alembic, and JupyterLab nbgrader, by name
export PATH := $(CURDIR)/.venv/bin:$(PATH)

.PHONY: env lab FORCE

env: $(STAMP)

# The stamp holds the folder's path: scripts in .venv/bin know it, so a moved folder needs a new environment.
ifneq ($(shell cat $(STAMP) 2>/dev/null),$(CURDIR))
$(STAMP): FORCE
endif

$(STAMP): $(PINS) pyproject.toml
	@if [ -e $@ ] && [ "$$(cat $@)" != "$(CURDIR)" ]; then \
	    echo "This folder was moved from $$(cat $@): making .venv again."; rm -rf .venv; fi
	@rm -f $@
	@[ -x .venv/bin/python ] && .venv/bin/python -m pip --version >/dev/null 2>&1 || { \
	    for python in $(PYTHON) python3.11 python3.12 python3.13 python3 python; do \
	        if $$python -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null; then \
	            echo "Making the environment .venv with $$python."; \
	            rm -rf .venv; $$python -m venv .venv && exit 0; \
	            echo "$$python cannot make a virtual environment: install its venv module (Debian: python3.11-venv)."; \
	            rm -rf .venv; exit 1; \
	        fi; \
	    done; \
	    echo "Python 3.11 (or 3.12, 3.13) was not found. Install it, or say where it is: make env PYTHON=/path/to/python3.11"; exit 1; }
	@echo "Installing the packages of requirements.txt into .venv; the first time takes some minutes."
	@$(PIP) -r requirements.txt
# >>> instructor
	@$(PIP) --no-deps -r requirements-no-deps.txt
# <<< instructor
	@$(PIP) --no-deps --no-build-isolation --editable .
	@echo "$(CURDIR)" > $@
	@echo "The environment .venv is ready."

lab: $(STAMP)
	@.venv/bin/course lab

# >>> instructor
.PHONY: grade test test-gates test-stock site bench

.venv/benchmarks-made: $(STAMP) requirements-benchmarks.txt
	@echo "Installing the peers that the benchmarks measure against."
	@$(PIP) -r requirements-benchmarks.txt
	@touch $@

grade: $(STAMP)
	@.venv/bin/course demo $(if $(ALL),--all)

test: $(STAMP)
	@.venv/bin/python -m pytest -n auto $(PYTEST)

test-gates: $(STAMP)
	@COURSE_GATES=all .venv/bin/python -m pytest -n auto tests/book/test_gates.py -k 'not gate_7' $(PYTEST)

test-stock: $(STAMP)
	@COURSE_STOCK=all .venv/bin/python -m pytest -n auto tests/book/test_gates.py -k gate_7 $(PYTEST)

site: $(STAMP)
	@.venv/bin/course site

bench: .venv/benchmarks-made
	@for script in benchmarks/*.py; do echo "$$script"; .venv/bin/python "$$script" || exit 1; done
# <<< instructor
