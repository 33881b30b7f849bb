"""Rows of ``sft`` as the fine-tuning of OpenAI takes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson


def openai_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """The messages of an ``sft`` row with numbered calls, their arguments as JSON in a string,
    and its tools. One call a turn."""
    told = []
    number = 0
    for message in row["messages"]:
        if message["role"] == "tool":
            kept = {"role": "tool", "tool_call_id": f"call_{number}", "content": message["content"]}
            told.append(kept)
            continue
        made = {"role": message["role"], "content": message["content"]}
        if "tool_calls" in message:
            number += 1
            made["tool_calls"] = [_call(one["function"], number) for one in message["tool_calls"]]
        told.append(made)
    return {"messages": told, "tools": row["tools"], "parallel_tool_calls": False}


def _call(function: Mapping[str, Any], number: int) -> dict[str, Any]:
    arguments = orjson.dumps(function["arguments"]).decode()
    told = {"name": function["name"], "arguments": arguments}
    return {"id": f"call_{number}", "type": "function", "function": told}


def openai_line(row: Mapping[str, Any]) -> bytes:
    """The row as one line of JSONL."""
    return orjson.dumps(openai_row(row), option=orjson.OPT_APPEND_NEWLINE)
