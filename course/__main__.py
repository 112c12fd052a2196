"""`python -m course`, where the command `course` is not on the path."""
from course.cli import main

main()
