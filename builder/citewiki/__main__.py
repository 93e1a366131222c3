"""`python -m citewiki`."""

from citewiki.cli import main

main()
