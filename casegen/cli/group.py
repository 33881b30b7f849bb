"""The group of commands: each is imported only when it runs."""

from __future__ import annotations

from importlib import import_module

import click

from casegen import __version__

COMMANDS = {
    "generate": "Generate certified cases from a seed.",
    "validate": "Check a file of cases: schema first, then truth.",
    "show": "Show one case, its evidence marked.",
    "stats": "Tell what a file of cases is made of.",
    "check": "Find the errors of a claim or a prescription.",
    "code": "Tell all that is known of a code, or of a pair.",
    "drug": "Tell all that is known of a drug, or of a pair.",
    "import": "Take official tables of your own, for --tables.",
    "pack": "List, build, verify and show packs of tasks.",
    "evaluate": "Let agents play cases, and tell how well.",
    "play": "Play one case yourself.",
    "serve": "Play over HTTP, WebSocket and in the browser.",
    "space": "Write the folder from which a server is deployed.",
    "rollout": "Let an agent play, and write the episodes.",
    "export": "Write a dataset from a seed, for datasets.load_dataset.",
    "report": "Show an export as one page: plots, and cases to browse.",
    "learn": "Learn codes from a CSV file, row by row, and tell how well.",
    "push": "Upload an export to the Hugging Face hub.",
}
# Where a command's module has another name ("import" is a word of the language), or lives in
# another room.
_MODULES = {
    "import": "casegen.cli.importing",
    "pack": "casegen.env.commands.pack",
    "evaluate": "casegen.env.commands.evaluate",
    "play": "casegen.env.commands.play",
    "serve": "casegen.env.commands.serve",
    "space": "casegen.env.commands.space",
    "rollout": "casegen.exports.commands.rollout",
    "export": "casegen.exports.commands.export",
    "report": "casegen.exports.commands.report",
    "push": "casegen.exports.commands.push",
}


class LazyGroup(click.Group):
    """Imports a command's module only when that command runs."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of a piece of work."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, None if there is none."""
        if cmd_name not in COMMANDS:
            return None
        module = import_module(_MODULES.get(cmd_name, f"{__package__}.{cmd_name}"))
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, without a look into their modules."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.command(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="casegen %(version)s")
def cli() -> None:
    """Seeded medical cases whose answers are certified against official tables."""
