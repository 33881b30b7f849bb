"""The typed client."""

from casegen.env.rx.client import RxSafeEnv

__all__ = ["RxSafeEnv"]
