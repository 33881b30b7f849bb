"""What the typed clients of all families share."""

from __future__ import annotations

from typing import Any, ClassVar, Generic, TypeVar, cast

from openenv.core.client_types import StepResult
from openenv.core.env_client import EnvClient
from openenv.core.env_server.types import Action, Observation, State

ActT = TypeVar("ActT", bound=Action)
ObsT = TypeVar("ObsT", bound=Observation)
StateT = TypeVar("StateT", bound=State)


class FamilyClient(EnvClient[ActT, ObsT, StateT], Generic[ActT, ObsT, StateT]):
    """Plays over a WebSocket; each client is a session of its own.

    Reward, done and metadata are those that the server's environment gave.
    """

    observation_cls: ClassVar[type[Observation]]
    state_cls: ClassVar[type[State]]

    def _step_payload(self, action: ActT) -> dict[str, Any]:
        return action.model_dump(exclude_none=True, exclude_defaults=True)

    def _parse_result(self, payload: dict[str, Any]) -> StepResult[ObsT]:
        told = dict(payload["observation"])
        told |= {"reward": payload.get("reward"), "done": payload.get("done", False)}
        observation: Any = self.observation_cls.model_validate(told)
        return StepResult(
            observation=observation,
            reward=payload.get("reward"),
            done=observation.done,
            metadata=payload.get("metadata", observation.metadata),
        )

    def _parse_state(self, payload: dict[str, Any]) -> StateT:
        state = self.state_cls.model_validate(payload)
        return cast("StateT", state)
