"""`python -m conformance`"""

import sys

from .command import main

sys.exit(main())
