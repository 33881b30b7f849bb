"""What the typed clients of all families share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Generic, TypeVar, cast

from openenv.core.client_types import StepResult
from openenv.core.env_client import EnvClient
from openenv.core.env_server.types import Action, Observation, State
from pydantic import ValidationError

from casegen.env.families import FAMILIES, family
from casegen.schemas import InputError

ActT = TypeVar("ActT", bound=Action)
ObsT = TypeVar("ObsT", bound=Observation)
StateT = TypeVar("StateT", bound=State)


class FamilyClient(EnvClient[ActT, ObsT, StateT], Generic[ActT, ObsT, StateT]):
    """Plays over a WebSocket; each client is a session of its own.

    Reward, done and metadata are those that the server's environment gave.
    """

    family_name: ClassVar[str]
    observation_cls: ClassVar[type[Observation]]
    state_cls: ClassVar[type[State]]

    async def _connect_async(self) -> FamilyClient[ActT, ObsT, StateT]:
        try:
            await super()._connect_async()
        except ConnectionError as error:
            told = f"{error}; casegen serve {self.family_name} starts a server"
            raise ConnectionError(told) from error
        return self

    def _step_payload(self, action: ActT) -> dict[str, Any]:
        return action.model_dump(exclude_none=True, exclude_defaults=True)

    def _parse_result(self, payload: dict[str, Any]) -> StepResult[ObsT]:
        told = dict(payload["observation"])
        told |= {"reward": payload.get("reward"), "done": payload.get("done", False)}
        try:
            observation: Any = self.observation_cls.model_validate(told)
        except ValidationError:
            other = played_by(told)
            if other in (None, self.family_name):
                raise
            mend = f"this server plays {other}; casegen serve {self.family_name} starts the other"
            raise InputError("base_url", self.base_url, mend) from None
        return StepResult(
            observation=observation,
            reward=payload.get("reward"),
            done=observation.done,
            metadata=payload.get("metadata", observation.metadata),
        )

    def _parse_state(self, payload: dict[str, Any]) -> StateT:
        state = self.state_cls.model_validate(payload)
        return cast("StateT", state)


def played_by(observation: Mapping[str, Any]) -> str | None:
    """The family whose observation this is, as far as its fields tell it."""
    for name in FAMILIES:
        model = family(name).openenv().ENVIRONMENT.observation_cls
        needed = (key for key, one in model.model_fields.items() if one.is_required())
        if all(key in observation for key in needed):
            return name
    return None
