"""`python -m harness` is the command `parity`."""

from .cli.main import main

if __name__ == "__main__":
    raise SystemExit(main())
