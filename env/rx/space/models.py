"""What goes over the wire."""

from casegen.env.rx.models import RxSafeAction, RxSafeObservation, RxSafeState

__all__ = ["RxSafeAction", "RxSafeObservation", "RxSafeState"]
