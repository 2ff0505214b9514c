"""``python -m paraphrast``."""

from paraphrast.cli import main

main()
