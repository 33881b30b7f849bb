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
INSTALL = "in the clone: pip install '.[openai]'"
NO_KEY = "unset"  # what local endpoints are sent; they ask for no key
# What an endpoint may refuse (status 400 or 422) and can do without.
_SETTINGS = ("temperature", "max_tokens")
_ONE_CALL, _TOOLS = "parallel_tool_calls", "tools"
# Refusals that no other question mends: the key, the right to the model, its name.
_FOR_GOOD = (401, 403, 404)
_NOBODY = ("ConnectError", "UnsupportedProtocol")


class EndpointError(CasegenError):
    """An endpoint refuses, or can't be reached for too long."""


class NoEndpointError(EndpointError):
    """Nothing was ever answered, and there is no hope of it: what is set is wrong."""


class UnreachableError(NoEndpointError):
    """Nobody listens at the address."""


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
        self._one_call = True  # whether to say that one call a step is wanted
        self._taken: set[str] = set()  # what the endpoint has answered to
        self._reached = False

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
            if tools:
                if self.tools_refused:  # perhaps by now, to another thread
                    return None
                asked |= {_TOOLS: tools, "tool_choice": "required"}
                if self._one_call:
                    asked[_ONE_CALL] = False
            try:
                answer = create(
                    model=self.model,
                    messages=messages,
                    timeout=min(self.patience.call_seconds, left),
                    **asked,
                )
            except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
                self._reached = True
                if not self._give_way(str(error), asked):
                    raise EndpointError(f"{self.model}: {error}") from None
                continue
            except openai.APIError as error:
                if not self._reached and (wrong := _hopeless(error)):
                    raise wrong(f"{self.model}: {_told(error)}") from None
                self._reached |= isinstance(error, openai.APIStatusError)
                attempt += 1
                spent = attempt >= self.patience.attempts and time.monotonic() < deadline
                if not _passes(error) or spent:
                    raise EndpointError(f"{self.model}: {_told(error)}") from None
            else:
                self._reached = True
                if getattr(answer, "choices", None):
                    self._taken |= asked.keys()
                    return answer.choices[0].message
                attempt += 1
                if attempt >= self.patience.attempts:
                    raise EndpointError(f"{self.model}: answers without a choice")
            time.sleep(max(0.0, min(wait, deadline - time.monotonic())))
            wait = min(2 * wait, self.patience.longest_wait)

    def _give_way(self, complaint: str, asked: Mapping[str, Any]) -> bool:
        """Leave out what the complaint names; if it names nothing known, the wish for one call,
        then the tools, unless the endpoint took them before."""
        for name in _SETTINGS:
            if name in complaint and name in asked:
                self._options.pop(name, None)
                return True
        # A complaint of tools in general is none of the wish for one call.
        general = "tool" in complaint.replace(_ONE_CALL, "") or "function" in complaint
        named = _ONE_CALL in complaint
        if _ONE_CALL in asked and (named or not (general or _ONE_CALL in self._taken)):
            self._one_call = False
            return True
        if _TOOLS in asked and (general or _TOOLS not in self._taken):
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


def _hopeless(error: openai.APIError) -> type[NoEndpointError] | None:
    """What a first answer comes to that no patience mends, None where patience may."""
    import openai

    if isinstance(error, openai.APIStatusError):
        return NoEndpointError if error.status_code in _FOR_GOOD else None
    # By name: which library brings them depends on the release of openai.
    return UnreachableError if type(error.__cause__).__name__ in _NOBODY else None


def _told(error: openai.APIError) -> str:
    """The complaint, with the cause of a connection that failed."""
    cause = error.__cause__
    return f"{error} ({cause})" if cause is not None and str(cause) else str(error)
