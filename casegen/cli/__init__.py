"""The command line. Commands are loaded when they are called for, so help is quick.

This module imports next to nothing: signals are heeded before anything else is loaded.
"""

from __future__ import annotations

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
_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")
_TIDY = 3.0  # seconds that cleaning up may take undisturbed

_signals: list[float] = []  # when they arrived


def main(argv: list[str] | None = None) -> NoReturn:
    """Run the command line and exit; any error of the user is one line and status 2."""
    try:
        _heed_signals()
        status = _run(sys.argv[1:] if argv is None else argv)
        if sys.stdout is not None:
            sys.stdout.flush()
    except KeyboardInterrupt:
        _drop_output()
        status = _complain(INTERRUPTED)
    except BrokenPipeError:
        # Whoever read the other end of the pipe has seen enough.
        _drop_output()
        status = 0
    except Exception as error:
        _drop_output()
        if _signals:
            # An interrupted import may come out as an error of its own.
            status = _complain(INTERRUPTED)
        elif isinstance(error, OSError):  # standard output can't take what was printed
            status = _complain(f"standard output: {error.strerror or error}")
        else:
            raise
    sys.exit(status)


def _run(argv: list[str]) -> int:
    import click

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
        where = error.ctx.command_path if error.ctx else "casegen"
        return _complain(f"{error.format_message()} See {where} --help.")
    except click.ClickException as error:
        return _complain(error.format_message())
    except BrokenPipeError:
        raise
    except OSError as error:
        if error.filename is None:
            raise
        return _complain(f"{error.filename}: {error.strerror or error}")
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
    for name in _SIGNALS:
        number = getattr(signal, name, None)
        if number is None or signal.getsignal(number) == signal.SIG_IGN:
            continue
        try:
            signal.signal(number, _interrupt)
        except ValueError:  # not in the main thread, where signals don't arrive
            return


def _interrupt(signum: int, frame: FrameType | None) -> None:
    """End the command; a second signal must not disturb what cleans up behind it."""
    now = time.monotonic()
    if not _signals or now - _signals[-1] > _TIDY:
        _signals.append(now)
        raise KeyboardInterrupt


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
    try:
        print(f"casegen: {' '.join(text.split())}", file=sys.stderr, flush=True)
    except OSError:
        pass  # nobody listens
    return WRONG
