"""One chat completion from an OpenAI-compatible endpoint, with patience and within a time."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from casegen.schemas import CasegenError, InputError

if TYPE_CHECKING:
    import openai

# Where a token of Hugging Face is good unless another address is given.
ROUTER = "https://router.huggingface.co/v1"
INSTALL = "pip install 'casegen[openai]'"
NO_KEY = "unset"  # what local endpoints are sent; they ask for no key
# What an endpoint may refuse (status 400 or 422) and can do without, in the order of trial.
_OPTIONAL = ("temperature", "max_tokens", "tools")


class EndpointError(CasegenError):
    """An endpoint refuses, or can't be reached for too long."""


class TimeUpError(EndpointError):
    """The time of an episode is over."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a model answers: address (None is OpenAI's own) and key."""

    base_url: str | None
    key: str


@dataclass(frozen=True, slots=True)
class Patience:
    """How long an answer is waited for. Waits double from ``first_wait`` to ``longest_wait``."""

    attempts: int = 6
    first_wait: float = 1.0
    longest_wait: float = 30.0
    call_seconds: float = 90.0
    episode_seconds: float = 900.0


def endpoint(environ: Mapping[str, str] | None = None) -> Endpoint:
    """The endpoint that the environment names. Raises InputError where there is no key.

    ``OPENAI_BASE_URL`` goes with ``OPENAI_API_KEY`` and ``API_BASE_URL`` with ``HF_TOKEN``;
    where one of a pair is missing the other pair's stands in, but a token of Hugging Face
    alone goes to its router and nowhere else.
    """
    env = os.environ if environ is None else environ
    own, other = env.get("OPENAI_BASE_URL") or None, env.get("API_BASE_URL") or None
    key, token = env.get("OPENAI_API_KEY") or None, env.get("HF_TOKEN") or None
    if own or (key and not other):
        return Endpoint(own, key or token or NO_KEY)
    if other:
        return Endpoint(other, token or key or NO_KEY)
    if token:
        return Endpoint(ROUTER, token)
    told = "set OPENAI_API_KEY or HF_TOKEN; for an endpoint of your own set OPENAI_BASE_URL"
    raise InputError("OPENAI_API_KEY", None, told)


class Chat:
    """Asks one model. Remembers what the endpoint refused to be told."""

    def __init__(
        self, model: str, place: Endpoint, patience: Patience, temperature: float = 0.2
    ) -> None:
        self.model = model
        self.patience = patience
        self._client = _client(place, patience)
        self._options: dict[str, Any] = {"temperature": temperature, "max_tokens": 1024}
        self.tools_refused = False

    def complete(
        self, messages: list[dict[str, Any]], tools: list[dict[str, Any]], deadline: float
    ) -> Any | None:
        """The message that the model answers with, or None where ``tools`` were refused.

        ``deadline`` is a time of ``time.monotonic``. Raises EndpointError, TimeUpError at it.
        """
        import openai

        create: Any = self._client.chat.completions.create
        wait = self.patience.first_wait
        attempt = 0
        while True:
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeUpError(f"{self.model}: no answer within the time of an episode")
            asked = dict(self._options)
            if tools and not self.tools_refused:
                asked |= {"tools": tools, "tool_choice": "required"}
            try:
                answer = create(
                    model=self.model,
                    messages=messages,
                    timeout=min(self.patience.call_seconds, left),
                    **asked,
                )
            except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
                if not self._give_way(str(error), bool(tools)):
                    raise EndpointError(f"{self.model}: {error}") from None
                if tools and self.tools_refused:
                    return None
                continue
            except openai.APIError as error:
                attempt += 1
                spent = attempt >= self.patience.attempts and time.monotonic() < deadline
                if not _passes(error) or spent:
                    raise EndpointError(f"{self.model}: {_told(error)}") from None
            else:
                if getattr(answer, "choices", None):
                    return answer.choices[0].message
                attempt += 1
                if attempt >= self.patience.attempts:
                    raise EndpointError(f"{self.model}: answers without a choice")
            time.sleep(max(0.0, min(wait, deadline - time.monotonic())))
            wait = min(2 * wait, self.patience.longest_wait)

    def _give_way(self, complaint: str, tools: bool) -> bool:
        """Leave out what the complaint names, or the tools if it names nothing known."""
        for name in _OPTIONAL[:-1]:
            if name in complaint and self._options.pop(name, None) is not None:
                return True
        if tools and not self.tools_refused:
            self.tools_refused = True
            return True
        return False

    def close(self) -> None:
        """Give up the connections."""
        self._client.close()


def _client(place: Endpoint, patience: Patience) -> openai.OpenAI:
    try:
        from openai import OpenAI, OpenAIError
    except ImportError:
        raise InputError("--agent", "openai", f"needs an extra: {INSTALL}") from None
    try:
        return OpenAI(
            api_key=place.key,
            base_url=place.base_url,
            timeout=patience.call_seconds,
            max_retries=0,  # the waits are ours, so that they end with the episode
        )
    except OpenAIError as error:
        raise EndpointError(str(error)) from None


def _passes(error: openai.APIError) -> bool:
    """Whether the same question may be answered in a while: too many, at fault, unreachable."""
    import openai

    if isinstance(error, openai.APIStatusError):
        return error.status_code in (408, 409, 425, 429) or error.status_code >= 500
    # A connection that failed, a time-out, or an answer that is no JSON.
    return True


def _told(error: openai.APIError) -> str:
    """The complaint, with the cause of a connection that failed."""
    cause = error.__cause__
    return f"{error} ({cause})" if cause is not None and str(cause) else str(error)
