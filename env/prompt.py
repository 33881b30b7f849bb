"""What a family tells a language model: the words, the acts, and how to show an observation."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from casegen.schemas import InputError

TYPE = "action_type"
_BY_TYPE = ((TYPE, None),)


@dataclass(frozen=True, slots=True)
class Act:
    """One kind of act: its name, the fields that it needs, what it does, what it may have, and
    whether it ends the episode.

    ``fixed`` holds the fields by which an action is known as such an act; without it that is
    ``action_type``, which holds the name.
    """

    name: str
    required: tuple[str, ...]
    title: str
    optional: tuple[str, ...] = ()
    ends: bool = False
    fixed: Mapping[str, Any] | None = None

    @property
    def fields(self) -> tuple[str, ...]:
        """All fields that the act may have."""
        return self.required + self.optional

    @property
    def mark(self) -> Mapping[str, Any]:
        """The fields that make an action such an act."""
        return {TYPE: self.name} if self.fixed is None else self.fixed


@dataclass(frozen=True, slots=True)
class Prompt:
    """A family as a language model meets it.

    ``system`` may hold ``{steps}``. ``fields`` says what each field of an act is, ``enums``
    what it may be; ``model`` is the dataclass of an act. ``first`` shows the first observation,
    ``result`` what came of an act. The acts that end an episode come last.
    """

    system: str
    acts: tuple[Act, ...]
    fields: Mapping[str, str]
    enums: Mapping[str, list[str]]
    model: type
    first: Callable[[Any], str]
    result: Callable[[Any], str]
    # Names and marks of the acts, those with more fields to be known by first.
    _marks: tuple[tuple[str, tuple[tuple[str, Any], ...]], ...] = field(init=False, repr=False)
    # The names, where all acts are known by ``action_type`` alone.
    _typed: frozenset[str] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        ordered = sorted(self.acts, key=lambda act: -len(act.mark))
        marks = tuple((act.name, tuple(act.mark.items())) for act in ordered)
        typed = all(act.fixed is None for act in self.acts)
        object.__setattr__(self, "_marks", marks)
        object.__setattr__(self, "_typed", frozenset(n for n, _ in marks) if typed else frozenset())

    def tools(self) -> list[dict[str, Any]]:
        """The acts as tools of the chat protocol, made from the model of an act."""
        from pydantic import TypeAdapter

        schema = TypeAdapter(self.model).json_schema()
        properties = _resolved(schema["properties"], schema.get("$defs", {}))
        return [
            {
                "type": "function",
                "function": {
                    "name": act.name,
                    "description": act.title,
                    "parameters": {
                        "type": "object",
                        "properties": {name: self._field(properties, name) for name in act.fields},
                        "required": list(act.required),
                        "additionalProperties": False,
                    },
                },
            }
            for act in self.acts
        ]

    def call_of(self, action: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
        """An action as a call: the name of the act, and the fields beside those that tell it."""
        name, mark = self._known_by(action)
        given = dict(action)
        for key, _ in mark:
            given.pop(key, None)
        return name, given

    def name_of(self, action: Mapping[str, Any]) -> str:
        """The name of the act that an action is."""
        return self._known_by(action)[0]

    def _known_by(self, action: Mapping[str, Any]) -> tuple[str, tuple[tuple[str, Any], ...]]:
        """The name of the act that an action is, and the fields that tell it."""
        kind = action.get(TYPE)
        if isinstance(kind, str) and kind in self._typed:
            return kind, _BY_TYPE
        for name, mark in self._marks:
            for key, value in mark:
                if action.get(key) != value:
                    break
            else:
                return name, mark
        return str(action.get(TYPE, "")), _BY_TYPE

    def action_of(self, name: str, given: Mapping[str, Any]) -> dict[str, Any]:
        """The action of a call, as JSON values; nothing of them is checked.

        Raises InputError for an act that there is not, where the actions would not tell it.
        """
        act = next((act for act in self.acts if act.name == name), None)
        if act is not None:
            return {**act.mark, **given, **act.mark}
        if any(act.fixed is None for act in self.acts):
            return {**given, TYPE: name}
        raise InputError("tool", name, f"one of {', '.join(act.name for act in self.acts)}")

    def enders(self) -> frozenset[str]:
        """The names of the acts that end an episode."""
        return frozenset(act.name for act in self.acts if act.ends)

    def as_text(self) -> str:
        """The acts for a model without tools: one JSON object each."""
        lines = ["Answer with one JSON object and nothing else. The acts:"]
        for act in self.acts:
            shape = ", ".join(
                [f'"{name}": {json.dumps(value)}' for name, value in act.mark.items()]
                + [f'"{name}": ...' for name in act.required]
                + [f'"{name}"?: ...' for name in act.optional]
            )
            lines.append(f"{{{shape}}}  {act.title}")
        lines.append("The fields:")
        for name, told in self.fields.items():
            one_of = f" One of {', '.join(self.enums[name])}." if name in self.enums else ""
            lines.append(f"{name}: {told}{one_of}")
        return "\n".join(lines)

    def _field(self, properties: Mapping[str, Any], name: str) -> dict[str, Any]:
        schema = _without_null(properties[name])
        schema["description"] = self.fields[name]
        if name in self.enums:
            schema["enum"] = self.enums[name]
        return schema


def _resolved(value: Any, definitions: Mapping[str, Any]) -> Any:
    """A schema with its references written out; few endpoints follow them."""
    if isinstance(value, dict):
        if "$ref" in value:
            return _resolved(definitions[value["$ref"].rsplit("/", 1)[-1]], definitions)
        return {name: _resolved(item, definitions) for name, item in value.items()}
    if isinstance(value, list):
        return [_resolved(item, definitions) for item in value]
    return value


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """A field as it is when it is given: without default and null."""
    kept = {name: item for name, item in schema.items() if name not in ("default", "title")}
    kinds = [item for item in kept.pop("anyOf", ()) if item.get("type") != "null"]
    return {**kinds[0], **kept} if len(kinds) == 1 else kept
