"""`python -m screens.locale`: bring the catalogue up to date with the code, compile it, say what lacks Chinese."""

from __future__ import annotations

import sys

from screens.locale.catalogue import PO, update

missing = update()
for key in missing:
    sys.stdout.write(f"{key}\n")
sys.stderr.write(f"{len(missing)} without Chinese in {PO}\n")
sys.exit(1 if missing else 0)
