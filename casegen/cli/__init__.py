"""The command line. Commands are loaded when they are called for, so help is quick.

This module imports next to nothing: signals are heeded before anything else is loaded.
"""

from __future__ import annotations

import _thread
import gc
import os
import signal
import sys
import time
from types import FrameType
from typing import NoReturn

__all__ = ["main"]

WRONG = 2
COMPLETE = "_CASEGEN_COMPLETE"
INTERRUPTED = "interrupted; no half-written file is left"
_RARELY = 100_000  # objects made before the next search for cycles
_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")
_TIDY = 3.0  # seconds that cleaning up may take undisturbed
_LATER = 0.02  # seconds until a signal comes back that arrived during an import

_signals: list[float] = []  # when they arrived
_heeded: list[int] = []  # the numbers of those that we handle


def main(argv: list[str] | None = None) -> NoReturn:
    """Run the command line and exit; any error of the user is one line and status 2."""
    try:
        _heed_signals()
        # Commands load many objects that stay, and make hardly a cycle.
        gc.set_threshold(_RARELY)
        # NumPy would start threads for linear algebra, of which there is none here.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        status = _run(sys.argv[1:] if argv is None else argv)
        if sys.stdout is not None:
            sys.stdout.flush()
        _ignore_signals()  # all is done, and the status is known
        gc.freeze()  # the process ends: no search for cycles among what goes anyway
    except KeyboardInterrupt:
        _end_interrupted()
    except BrokenPipeError:
        # Whoever read the other end of the pipe has seen enough.
        _drop_output()
        status = 0
    except Exception as error:
        if _signals:
            # What was interrupted may come out as an error of its own.
            _end_interrupted()
        _drop_output()
        if isinstance(error, OSError):  # standard output can't take what was printed
            status = _complain(f"standard output: {error.strerror or error}")
        else:
            raise
    sys.exit(status)


def _run(argv: list[str]) -> int:
    import click

    from .command import usage
    from .group import cli

    if COMPLETE in os.environ:
        from click.shell_completion import shell_complete

        return shell_complete(cli, {}, "casegen", COMPLETE, os.environ[COMPLETE])
    try:
        # Not cli.main: it prints an empty line of its own when it is interrupted.
        with cli.make_context("casegen", list(argv) or ["--help"]) as context:
            cli.invoke(context)
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.exceptions.Abort:
        raise KeyboardInterrupt from None
    except click.UsageError as error:
        return _complain(usage(error))
    except click.ClickException as error:
        return _complain(error.format_message())
    except BrokenPipeError:
        raise
    except MemoryError:
        return _complain("the memory does not suffice for this input")
    except RecursionError:
        return _complain("the input nests too deep")
    except OSError as error:
        if error.filename is None:
            raise
        name = os.fsdecode(error.filename) if isinstance(error.filename, bytes) else error.filename
        return _complain(f"{name}: {error.strerror or error}")
    except Exception as error:
        from casegen.schemas.errors import CasegenError

        if not isinstance(error, CasegenError):
            raise
        return _complain(str(error))
    return 0


def _heed_signals() -> None:
    """Let Ctrl-C, SIGTERM and a closed terminal all end a command as KeyboardInterrupt does.

    What the caller told the process to ignore (``nohup``, a job in the background) stays so.
    """
    try:
        for name in _SIGNALS:
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) != signal.SIG_IGN:
                signal.signal(number, _interrupt)
                _heeded.append(number)
        if hasattr(signal, "SIGALRM"):
            signal.signal(signal.SIGALRM, _interrupt)
            _heeded.append(signal.SIGALRM)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGALRM,))
    except ValueError:  # not in the main thread, where signals don't arrive
        return


def _interrupt(signum: int, frame: FrameType | None) -> None:
    """End the command; a second signal must not disturb what cleans up behind it."""
    now = time.monotonic()
    if _signals and now - _signals[-1] <= _TIDY:
        return
    if _importing(frame):
        _again_later(signum)
        return
    _signals.append(now)
    raise KeyboardInterrupt


def _importing(frame: FrameType | None) -> bool:
    """Whether a module is being imported. An error in the midst of loading a C extension
    (orjson, numpy, pydantic_core) may crash the interpreter, so signals wait for the end."""
    while frame is not None and frame.f_code is not main.__code__:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def _again_later(signum: int) -> None:
    """Let the signal come back. Nothing may be imported here."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, _LATER)
        return

    def interrupt() -> None:
        time.sleep(_LATER)
        _thread.interrupt_main(signal.Signals(signum))

    _thread.start_new_thread(interrupt, ())


def _ignore_signals() -> None:
    """Let nothing disturb the end."""
    for number in _heeded:
        signal.signal(number, signal.SIG_IGN)


def _end_interrupted() -> NoReturn:
    """Say that the command was interrupted, and end with status 2 whatever is still loaded:
    the interpreter's own end could be interrupted again, or fail on half a module."""
    _ignore_signals()
    _drop_output()
    _say(INTERRUPTED)
    os._exit(WRONG)


def _drop_output() -> None:
    """Send what is still buffered nowhere, so that the end of the process can't fail on it."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
    except (AttributeError, OSError, ValueError):
        pass  # no standard output, or none with a descriptor


def _complain(text: str) -> int:
    """Print one line to standard error; the exit status of a user's error."""
    from casegen.schemas.errors import printable

    _say(printable(" ".join(text.split())))
    return WRONG


def _say(line: str) -> None:
    try:
        print(f"casegen: {line}", file=sys.stderr, flush=True)
    except (OSError, ValueError):
        pass  # nobody listens
