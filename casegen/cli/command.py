"""Commands whose complaints name an option as it was typed: option, value and mend, in one line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from casegen.schemas import InputError

_TYPED = "casegen.typed"  # where a context keeps the words of its command
# What the library calls things that commands take by options and arguments of various names.
# Which of them is meant shows in its value.
_VARIOUS = frozenset({"file", "pack", "place", "task_id", "export", "code", "name", "tables"})


class Command(click.Command):
    """A command that knows its options by the fields that the library complains of."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words; what can't be read is told by its option."""
        ctx.meta[_TYPED] = tuple(args)
        try:
            return super().parse_args(ctx, args)
        except InputError as error:
            raise named(error, ctx) from None
        except click.UsageError as error:
            error.ctx = error.ctx or ctx
            raise

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; what it can't take is told by its option."""
        try:
            return super().invoke(ctx)
        except InputError as error:
            raise named(error, ctx) from None


class Group(click.Group):
    """A command made of others. Alone it shows its help, as ``casegen`` does."""

    command_class = Command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words up to the name of a command."""
        return super().parse_args(ctx, args or ["--help"])


def named(error: InputError, ctx: click.Context) -> InputError:
    """The same complaint, its field named by the option or argument that it is about. A field of
    a file is left as it is."""
    if error.path is not None:
        return error
    fields = [_meant(field, error.value, ctx) or field for field in error.field.split(", ")]
    # A flag has no value that a person typed.
    value = None if isinstance(error.value, bool) else error.value
    return InputError(", ".join(fields), value, error.mend)


def _meant(field: str, value: object, ctx: click.Context) -> str | None:
    """The option or argument that a field means, as it was typed; None where it means none."""
    name = field.lstrip("-").replace("-", "_").lower()
    if name in _VARIOUS and value is not None:
        for param in ctx.command.params:
            given = ctx.params.get(param.name or "")
            if given == value or (isinstance(given, tuple) and value in given):
                return typed(param, ctx)
    for plain in (name, name.removesuffix("s")):
        for param in ctx.command.params:
            if plain in _names(param):
                return typed(param, ctx)
    return None


def _names(param: click.Parameter) -> Iterator[str]:
    if isinstance(param, click.Argument):
        yield _argument(param).lower()
    else:
        for option in param.opts:
            yield option.lstrip("-").replace("-", "_")


def typed(param: click.Parameter, ctx: click.Context) -> str:
    """The name of an option as it stands in the command, the longest where it doesn't stand
    there; of an argument as the help shows it."""
    if isinstance(param, click.Argument):
        return _argument(param)
    for word in reversed(ctx.meta.get(_TYPED, ())):
        for option in param.opts:
            long = option.startswith("--")
            if word == option or word.startswith(f"{option}=" if long else option):
                return option
    return max(param.opts, key=len)


def _argument(param: click.Argument) -> str:
    return (param.metavar or (param.name or "").upper()).removesuffix("...")


def usage(error: click.UsageError) -> str:
    """What click could not make of the words of a command, in one line of the same kind."""
    where = error.ctx.command_path if error.ctx else "casegen"
    if isinstance(error, click.MissingParameter) and error.param is not None:
        param = error.param
        name = _argument(param) if isinstance(param, click.Argument) else " or ".join(param.opts)
        told = f"{name}: is missing"
    elif isinstance(error, click.NoSuchOption):
        told = f"{error.option_name}: no such option"
        if error.possibilities:
            told += f"; did you mean {' or '.join(sorted(error.possibilities))}?"
    elif isinstance(error, click.BadOptionUsage):
        rest = error.message.removeprefix(f"Option {error.option_name!r} ")
        told = f"{error.option_name}: {rest[:1].lower()}{rest[1:]}"
    else:
        told = error.format_message()
    return f"{told.rstrip('.')}{'' if told.endswith('?') else ';'} see {where} --help"
