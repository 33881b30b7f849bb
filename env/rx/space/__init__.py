"""RxSafe as a package to deploy: client and models."""

from casegen.env.rx.client import RxSafeEnv
from casegen.env.rx.models import RxSafeAction, RxSafeObservation, RxSafeState

__all__ = ["RxSafeAction", "RxSafeEnv", "RxSafeObservation", "RxSafeState"]
