"""Uploads an export to a hub of datasets."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from casegen.schemas import InputError

from . import card, croissant
from .finished import finished, need_intact
from .manifest import NAME, Manifest

# What stood in the repository and is not part of this export goes, so that a split never mixes
# the shards of two.
_STALE = "data/*/*.parquet"


@dataclass(frozen=True, slots=True)
class Pushed:
    """What was uploaded, or would be. ``url`` of the commit is None for a dry run."""

    repo: str
    files: list[str]
    bytes: int
    url: str | None = None


def checked(folder: Path) -> Manifest:
    """The manifest of a finished export of which every file is whole. Raises InputError."""
    manifest = finished(folder)
    for file in manifest.files():
        need_intact(folder, file)
    known = {file.path for file in manifest.files()}
    for path in sorted(folder.glob(_STALE)):
        name = path.relative_to(folder).as_posix()
        if name not in known:
            told = "is not of this export; move it away"
            raise InputError("shard", name, told, path=str(folder))
    for name in (card.NAME, croissant.NAME):
        if not (folder / name).is_file():
            told = "is missing; casegen export --resume writes it again"
            raise InputError("file", name, told, path=str(folder))
    return manifest


def push(folder: Path, repo: str, *, private: bool = False, dry_run: bool = False) -> Pushed:
    """Upload an export in one commit; the repository is made if there is none.

    The token comes from where huggingface_hub finds it (``HF_TOKEN``, or a stored login).
    Raises InputError.
    """
    from huggingface_hub.errors import HFValidationError
    from huggingface_hub.utils._validators import validate_repo_id

    try:
        validate_repo_id(repo)
    except HFValidationError:
        raise InputError("REPO", repo, "a name such as user/dataset") from None
    manifest = checked(folder)
    files = [card.NAME, NAME, croissant.NAME, *(file.path for file in manifest.files())]
    size = sum((folder / name).stat().st_size for name in files)
    planned = Pushed(repo, files, size)
    if dry_run:
        return planned
    url = _upload(folder, repo, private)
    return Pushed(repo, files, size, url)


def _upload(folder: Path, repo: str, private: bool) -> str:
    from huggingface_hub import HfApi, errors
    from huggingface_hub.errors import HfHubHTTPError, LocalTokenNotFoundError, OfflineModeIsEnabled

    # The errors of the client that huggingface_hub uses, whichever that is.
    unreached: type[Exception] = getattr(errors, "HTTPError", OSError)
    api = HfApi()
    place = api.endpoint
    try:
        made = api.create_repo(repo, repo_type="dataset", private=private, exist_ok=True)
        commit = api.upload_folder(
            repo_id=made.repo_id,
            repo_type="dataset",
            folder_path=folder,
            allow_patterns=[card.NAME, NAME, croissant.NAME, _STALE],
            delete_patterns=_STALE,
            commit_message="Upload of casegen export",
        )
    except LocalTokenNotFoundError:
        raise InputError(
            "token", None, "none found; set HF_TOKEN, or log in with hf auth"
        ) from None
    except OfflineModeIsEnabled:
        raise InputError("HF_HUB_OFFLINE", "1", "forbids uploads; unset it") from None
    except HfHubHTTPError as error:
        raise InputError("REPO", repo, f"{place} refused: {_reason(error)}") from None
    except (unreached, OSError) as error:
        raise InputError("REPO", repo, f"{place} can't be reached: {error}") from None
    return str(commit.commit_url)


def _reason(error: Any) -> str:
    """The server's own words, else the status."""
    told = error.server_message or str(error)
    return " ".join(str(told).split())
