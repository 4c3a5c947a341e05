"""Ctrl-C is heard in tests, also where whoever started them ignores it: nohup, jobs in the background of a script."""

import signal

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
