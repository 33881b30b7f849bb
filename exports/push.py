"""Uploads an export to a hub of datasets."""

from __future__ import annotations

import logging
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from casegen import __version__
from casegen.cli.progress import watched
from casegen.schemas import InputError

from . import card, croissant
from .finished import AGAIN, finished, need_intact
from .manifest import NAME, Manifest, to_bytes
from .places import DATA, need_own_file
from .schema_files import ALL, schema_file

# What stood in the repository and is not part of this export goes, so that a split never mixes
# the shards of two.
_STALE = "data/*/*.parquet"
_TOKENS = ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN")
_TOKEN = "set HF_TOKEN to one that may write, or log in with hf auth"
_WRITES = "casegen export --resume writes it again"
_AGAIN = "try again later: what has arrived is not sent twice"
_NO_TOKEN, _FAILED = 401, 500
_MENDS = {
    403: "the token must be allowed to write there",
    404: "name a user or an organization that it knows",
    429: _AGAIN,
}


@dataclass(frozen=True, slots=True)
class Pushed:
    """What was uploaded, or would be. ``url`` of the commit is None for a dry run."""

    repo: str
    files: list[str]
    bytes: int
    url: str | None = None


def beside(manifest: Manifest) -> list[str]:
    """The files of an export that are neither rows nor the manifest."""
    families = manifest.recipe["families"]
    return [card.NAME, croissant.NAME, *(schema_file(name) for name in families)]


def checked(folder: Path) -> Manifest:
    """The manifest of a finished export of which every file is whole. Raises InputError."""
    manifest = finished(folder)
    need_own_file(folder, NAME, "is missing")
    for file in manifest.files():
        need_own_file(folder, file.path, f"is missing; {AGAIN}")
        need_intact(folder, file)
    known = {file.path for file in manifest.files()}
    # However deep it lies: the hub's library takes * for any part of a path.
    for path in sorted((folder / DATA).rglob("*.parquet")):
        name = path.relative_to(folder).as_posix()
        if name not in known:
            told = "is not of this export; move it away"
            raise InputError("shard", name, told, path=str(folder))
    for name in beside(manifest):
        need_own_file(folder, name, f"is missing; {_WRITES}")
    _need_metadata(folder, manifest)
    return manifest


def _need_metadata(folder: Path, manifest: Manifest) -> None:
    """Raise InputError unless the metadata for machines are those of the manifest. The card is
    for people, who may have added to it; another version of casegen may word both otherwise."""
    wanted = to_bytes(croissant.metadata(manifest))
    if manifest.casegen == __version__ and (folder / croissant.NAME).read_bytes() != wanted:
        told = f"is not as it was written; {_WRITES}"
        raise InputError("file", croissant.NAME, told, path=str(folder))


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
    files = [NAME, *beside(manifest), *(file.path for file in manifest.files())]
    size = sum((folder / name).stat().st_size for name in files)
    planned = Pushed(repo, files, size)
    if dry_run:
        return planned
    url = _upload(folder, repo, private, [NAME, *beside(manifest), _STALE])
    return Pushed(repo, files, size, url)


def token_told() -> str:
    """Where the token of an upload would come from."""
    from huggingface_hub import get_token

    if get_token() is None:
        return f"no token found; {_TOKEN}"
    set_here = any(os.environ.get(name) for name in _TOKENS)
    return f"the token would come from {'HF_TOKEN' if set_here else 'the stored login'}"


def _upload(folder: Path, repo: str, private: bool, names: list[str]) -> str:
    from huggingface_hub import HfApi
    from huggingface_hub.errors import LocalTokenNotFoundError, OfflineModeIsEnabled

    _quiet()
    api = HfApi()
    try:
        made = api.create_repo(repo, repo_type="dataset", private=private, exist_ok=True)
        commit = api.upload_folder(
            repo_id=made.repo_id,
            repo_type="dataset",
            folder_path=folder,
            allow_patterns=names,
            delete_patterns=[ALL, _STALE],
            commit_message="Upload of casegen export",
        )
    except LocalTokenNotFoundError:
        raise InputError("HF_TOKEN", None, f"no token found; {_TOKEN}") from None
    except OfflineModeIsEnabled:
        raise InputError("HF_HUB_OFFLINE", "1", "forbids uploads; unset it") from None
    except Exception as error:
        told = refusal(error, repo, api.endpoint)
        if told is None:
            raise
        raise told from None
    return str(commit.commit_url)


def _quiet() -> None:
    """Leave bars and notices of retries out where no person looks on."""
    if watched():
        return
    from huggingface_hub.utils.tqdm import disable_progress_bars

    disable_progress_bars()
    logging.getLogger("huggingface_hub").setLevel(logging.ERROR)


def refusal(error: BaseException, repo: str, place: str) -> InputError | None:
    """What to tell of an error of the hub or of the way to it; None where it is neither."""
    from huggingface_hub import errors
    from huggingface_hub.errors import HfHubHTTPError

    # The errors of the client that huggingface_hub uses, whichever that is.
    unreached: type[Exception] = getattr(errors, "HTTPError", OSError)
    if isinstance(error, HfHubHTTPError):
        status = getattr(error.response, "status_code", 0)
        told = f"{place} refused ({status}): {_reason(error)}"
        if status == _NO_TOKEN:
            return InputError("HF_TOKEN", None, f"{told}; {_TOKEN}")
        mend = _MENDS.get(status, _AGAIN if status >= _FAILED else "")
        return InputError("REPO", repo, f"{told}; {mend}" if mend else told)
    if isinstance(error, unreached | OSError):
        return InputError("REPO", repo, f"{place} can't be reached: {error}; {_AGAIN}")
    if isinstance(error, UnicodeEncodeError):  # a header holds ASCII alone
        return InputError("HF_TOKEN", None, f"holds what no token holds; {_TOKEN}")
    # An upload that fails in a thread comes out wrapped.
    return None if error.__cause__ is None else refusal(error.__cause__, repo, place)


def _reason(error: Any) -> str:
    """The server's own words, else the status."""
    told = error.server_message or str(error)
    return " ".join(str(told).split())
