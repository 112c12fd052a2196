"""The book of one section that tests/book builds is what is bundled here, too."""
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "book"))
