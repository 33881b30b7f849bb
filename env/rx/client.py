"""The typed client of an rx server."""

from __future__ import annotations

from casegen.env.openenv.client import FamilyClient

from .models import RxSafeAction, RxSafeObservation, RxSafeState


class RxSafeEnv(FamilyClient[RxSafeAction, RxSafeObservation, RxSafeState]):
    """``RxSafeEnv(base_url="http://127.0.0.1:8000").sync()`` gives the blocking one."""

    family_name = "rx"
    observation_cls = RxSafeObservation
    state_cls = RxSafeState
