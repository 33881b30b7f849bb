"""The command line. Commands are loaded when they are called for, so help is quick.

This module imports next to nothing: signals are heeded before anything else is loaded.
"""

from __future__ import annotations

import os
import signal
import sys
from types import FrameType
from typing import NoReturn

__all__ = ["main"]

WRONG = 2
COMPLETE = "_CASEGEN_COMPLETE"


def main(argv: list[str] | None = None) -> NoReturn:
    """Run the command line and exit; any error of the user is one line and status 2."""
    try:
        _heed_signals()
        status = _run(sys.argv[1:] if argv is None else argv)
        if sys.stdout is not None:
            sys.stdout.flush()
    except KeyboardInterrupt:
        _drop_output()
        status = _complain("interrupted; no half-written file is left")
    except BrokenPipeError:
        # Whoever read the other end of the pipe has seen enough.
        _drop_output()
        status = 0
    except OSError as error:  # standard output can't take what was printed
        _drop_output()
        status = _complain(f"standard output: {error.strerror or error}")
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
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is None or signal.getsignal(number) == signal.SIG_IGN:
            continue
        try:
            signal.signal(number, _interrupt)
        except ValueError:  # not in the main thread, where signals don't arrive
            return


def _interrupt(signum: int, frame: FrameType | None) -> None:
    """End the command; further signals must not disturb what cleans up behind it."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None:
            signal.signal(number, signal.SIG_IGN)
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
