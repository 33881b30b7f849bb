"""Croissant metadata (version 1.0 of the format by MLCommons): what stands in which file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from . import card
from .formats import row_format
from .manifest import Manifest

NAME = "croissant.json"
CONFORMS = "http://mlcommons.org/croissant/1.0"
_LICENCE = "https://creativecommons.org/licenses/by/4.0/"
# Where it will lie nobody knows yet; the card stands beside it.
_URL = card.NAME
_CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
_KINDS = {"float64": "sc:Float", "float32": "sc:Float", "bool": "sc:Boolean", "string": "sc:Text"}


def metadata(manifest: Manifest) -> dict[str, Any]:
    """The description of an export as JSON-LD. Each shard is a file with its hash, each
    configuration a set of files and of records."""
    recipe = manifest.recipe
    configs = recipe["configs"]
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": CONFORMS,
        "name": "casegen",
        "description": (
            f"{recipe['cases']} synthetic cases of {card.title(manifest)}, made from seed "
            f"{recipe['seed']}, with answers that follow from official tables. No patient exists."
        ),
        "license": _LICENCE,
        "citeAs": f"casegen {manifest.casegen}, seed {recipe['seed']}, {recipe['cases']} cases",
        "url": _URL,
        "version": manifest.casegen,
        "creator": {"@type": "sc:Organization", "name": "casegen contributors"},
        "keywords": card.TAGS,
        "inLanguage": "en",
        "isLiveDataset": False,
        "distribution": [*_files(manifest), *map(_file_set, configs)],
        "recordSet": [_record_set(name) for name in configs],
    }


def _files(manifest: Manifest) -> list[dict[str, Any]]:
    return [
        {
            "@type": "cr:FileObject",
            "@id": file.path,
            "name": file.path,
            "contentUrl": file.path,
            "contentSize": f"{file.bytes} B",
            "encodingFormat": "application/x-parquet",
            "sha256": file.sha256,
        }
        for file in manifest.files()
    ]


def _file_set(config: str) -> dict[str, Any]:
    return {
        "@type": "cr:FileSet",
        "@id": f"{config}-files",
        "name": f"{config}-files",
        "description": f"The shards of {config}.",
        "encodingFormat": "application/x-parquet",
        "includes": f"data/{config}/*.parquet",
    }


def _record_set(config: str) -> dict[str, Any]:
    form = row_format(config)
    return {
        "@type": "cr:RecordSet",
        "@id": config,
        "name": config,
        "description": form.about,
        "field": [_field(config, column, kind) for column, kind in form.features().items()],
    }


def _field(config: str, column: str, feature: Any) -> dict[str, Any]:
    from datasets import LargeList, List

    repeated = isinstance(feature, List | LargeList)
    kind = feature.feature if repeated else feature
    source: dict[str, Any] = {
        "fileSet": {"@id": f"{config}-files"},
        "extract": {"column": column},
    }
    head = {
        "@type": "cr:Field",
        "@id": f"{config}/{column}",
        "name": column,
        "description": f"Column {column} of {config}.",
        **({"repeated": True} if repeated else {}),
    }
    if not isinstance(kind, Mapping):
        return {**head, "dataType": _type_of(kind), "source": source}
    parts = [
        {
            "@type": "cr:Field",
            "@id": f"{config}/{column}/{name}",
            "name": f"{column}/{name}",
            "description": f"{name} in column {column} of {config}.",
            "dataType": _type_of(part),
            "source": {**source, "transform": {"jsonPath": name}},
        }
        for name, part in kind.items()
    ]
    return {**head, "subField": parts}


def _type_of(feature: Any) -> str:
    dtype = str(getattr(feature, "dtype", "string"))
    # What JSON columns hold the card describes; here they are text.
    return _KINDS.get(dtype, "sc:Integer" if "int" in dtype else "sc:Text")
