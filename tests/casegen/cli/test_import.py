"""``import`` and ``--tables``: official tables of the user's own in every command."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import orjson
import pytest

import casegen
from casegen.schemas.serial import HASH
from casegen.seeds.icd10cm.xml import tabular_path
from casegen.seeds.imports.sets import load
from casegen.seeds.services import Services
from casegen.seeds.services import load as load_services

from .conftest import Cli, Data, again

HEADER = "Column 1\tColumn 2\t*=in existence\tEffective\tDeletion\tModifier\tRationale\r\n"
FILE = "ccipra-v310r0-f1.TXT"
MUE = (
    "HCPCS/CPT Code,Practitioner Services MUE Values,MUE Adjudication Indicator,MUE Rationale\n"
    "93306,1,3 Date of Service Edit: Clinical,Clinical: Data\n"
)
CLAIM = {
    "patient": {"sex": "female", "birth_date": "1959-02-11"}, "service_date": "2026-05-14",
    "setting": "office", "claim_type": "professional",
    "lines": [{"code": "I10"}, {"code": "99213"}],
}  # fmt: skip
SECRET = "Descriptor that a licence covers"


def pairs_of(services: Services) -> str:
    """The bundled pairs in the published layout."""
    lines = []
    for one in services:
        for other in services.partners(one.code):
            for edit in services.pair_any(one.code, other):
                if edit.column1 == one.code:
                    end = (edit.deleted or "*").replace("-", "")
                    lines.append(
                        f"{edit.column1}\t{edit.column2}\t\t19960101\t{end}\t{edit.indicator}\t"
                        f"{edit.rationale}\r\n"
                    )
    return HEADER + "".join(lines)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CASEGEN_TABLES", str(tmp_path / "tables"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / FILE).write_bytes(pairs_of(load_services()).encode("cp1252"))
    return tmp_path


def generate(cli: Cli, *more: str, name: str = "a.jsonl") -> list[Data]:
    result = cli("generate", "audit", "-n", "12", "--seed", "7", "-o", name, *more)
    assert result.status == 0, result.err
    return [orjson.loads(line) for line in Path(name).read_bytes().splitlines()]


def test_the_same_pairs_make_the_same_cases_that_cite_the_import(home: Path, cli: Cli) -> None:
    result = cli("import", "ncci", FILE, "--name", "mine")
    assert result.out.startswith("mine: NCCI 2025Q1, from 2025-01-01: ")
    plain = generate(cli, name="b.jsonl")
    cited = set()
    for case, other in zip(generate(cli, "--tables", "mine"), plain, strict=True):
        recipe = f"mine@{case['tables']['digest'][:12]}"
        assert case["options"] == {"tables": recipe} and case["tables"]["name"] == "mine"
        assert case["id"] == f"{other['id']}?tables={recipe}"
        for told in case["findings"] + case["decoys"]:
            if told["authority"]["source"] == "ncci":
                assert told["authority"]["edition"] == "NCCI 2025Q1"
                told["authority"]["edition"] = "NCCI 2024Q3"
                cited.add(told["code"])
        changed = {"id", "options", "tables", HASH}
        assert {k: v for k, v in case.items() if k not in changed} == {
            k: v for k, v in other.items() if k not in changed
        }
    assert cited
    for more in ((), ("--remake",), ("--tables", "mine", "--remake")):
        assert cli("validate", "a.jsonl", *more).status == 0


def test_validate_names_the_set_that_is_missing_or_another(
    home: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    cli("import", "ncci", FILE, "--name", "mine")
    generate(cli, "--tables", "mine")
    generate(cli, name="b.jsonl")
    told = cli("validate", "b.jsonl", "--tables", "mine").complaint()
    assert "tables.name" in told and "asked for (mine)" in told
    for option in ("--remake", "--json"):
        assert cli("validate", "a.jsonl", option).status == 0
    Path("mue.csv").write_text(MUE)
    cli("import", "mue", "mue.csv", "--name", "mine", "--effective", "2025-01-01")
    assert "the imported set mine holds something else" in cli("validate", "a.jsonl").complaint()
    monkeypatch.setenv("CASEGEN_TABLES", str(home / "elsewhere"))
    told = cli("validate", "a.jsonl").complaint()
    assert "line 1: tables.name: 'mine': no imported set" in told


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (lambda case: case["options"].clear(), "options.tables"),
        (lambda case: case["options"].update(tables="mine"), "options.tables"),
        (lambda case: case["tables"].update(name="icd10cm-2026-04"), "tables.digest"),
    ],
)
def test_a_case_must_name_its_tables(
    home: Path, cli: Cli, change: Callable[[Data], None], field: str
) -> None:
    cli("import", "ncci", FILE, "--name", "mine")
    (case, *_) = generate(cli, "--tables", "mine")
    change(case)
    Path("c.jsonl").write_bytes(orjson.dumps(again(case)) + b"\n")
    assert f"line 1: {field}: " in cli("validate", "c.jsonl").complaint()


def test_an_edit_that_the_import_lacks_is_in_no_case(home: Path, cli: Cli) -> None:
    lines = (home / FILE).read_text("cp1252").splitlines(keepends=True)
    gone = {("93306", "93307"), ("95117", "95115")}
    kept = [line for line in lines if tuple(line.split("\t")[:2]) not in gone]
    assert len(kept) == len(lines) - 2
    Path(FILE).write_text("".join(kept), "cp1252", newline="")
    cli("import", "ncci", FILE, "--name", "mine")
    result = cli("generate", "audit", "-n", "2", "--tables", "mine", "-o", "a.jsonl")
    assert "casegen: cases go without " in result.err
    assert "NCCI scenario" in result.err
    assert ", of which the tables mine say something else\n" in result.err
    world = casegen.make("audit-v0", seed=1, tables="mine").world
    assert {(one.column1, one.column2) for one in world.ncci}.isdisjoint(gone)
    assert world.left_out["NCCI scenarios"] > 0
    assert casegen.make("audit-v0", seed=1).world.left_out == {}
    told = cli("code", "93306", "93307", "--tables", "mine").out
    assert "No NCCI practitioner pair" in told and "NCCI 2025Q1" in told


def test_a_few_pairs_in_place_of_the_bundled_ones_are_said_to_be_few(home: Path, cli: Cli) -> None:
    lines = (home / FILE).read_text("cp1252").splitlines(keepends=True)
    kept = [line for line in lines if line.startswith("93306\t93307")]
    Path("few.txt").write_text(HEADER + "".join(kept), "cp1252", newline="")
    few = cli("import", "ncci", "few.txt", "--name", "few", "--effective", "2025-01-01").out
    assert (
        "few: NCCI 2025Q1, from 2025-01-01: 1 pair, 1 active, 0 deleted, 1 column 1 code\n" in few
    )
    assert "note: active pairs among casegen's services: 1; the bundled table" in few
    assert "note: active" not in cli("import", "ncci", FILE, "--name", "all").out
    services = [{"code": "93306"}, {"code": "93307"}]
    Path("claim.json").write_text(json.dumps({**CLAIM, "lines": services}))
    told = "NCCI pairs beyond those of the imported NCCI 2025Q1: active among casegen's services "
    told += "it holds 1, the bundled table "
    assert told in cli("check", "claim.json", "--tables", "few").out
    for name in ("all", "bundled"):
        assert "NCCI pairs beyond" not in cli("check", "claim.json", "--tables", name).out


def test_a_set_keeps_the_count_of_what_was_refused_of_all_its_files(home: Path, cli: Cli) -> None:
    for number in (1, 2):
        wrong = f"93306\t9330\t\t20000101\t*\t{number}\twhy\r\n"
        text = HEADER + f"93306\t9330{number}\t\t20000101\t*\t1\twhy\r\n" + wrong * number
        Path(f"{number}.txt").write_text(text, "cp1252", newline="")
        told = cli("import", "ncci", f"{number}.txt", "--name", "x", "--effective", "2025-01-01")
        assert told.status == 0, told.err
    assert "2 pairs, 2 active, 0 deleted, 1 column 1 code, 3 refused" in cli("import", "list").out
    cli("import", "ncci", "2.txt", "--name", "x", "--effective", "2025-01-01")
    assert "3 refused" in cli("import", "list").out


def test_descriptors_are_shown_and_never_stored(home: Path, cli: Cli) -> None:
    rows = f"93306\t{SECRET}\n99213\t{SECRET} again\n12345\tNo service of ours\n"
    Path("LONGULT.txt").write_text(f"A preamble\n\n{rows}")
    assert cli("import", "cpt", "LONGULT.txt", "--name", "mine").status == 0
    assert f"your CPT text: {SECRET}" in cli("code", "93306", "--tables", "mine").out
    assert "No service of ours" in cli("code", "12345", "--tables", "mine").out
    Path("claim.json").write_text(json.dumps(CLAIM))
    assert f"99213  {SECRET} again" in cli("check", "claim.json", "--tables", "mine").out
    told = json.loads(cli("check", "claim.json", "--tables", "mine", "--json").out)
    assert told["descriptors"] == {"99213": f"{SECRET} again"}
    assert "descriptors" not in json.loads(cli("check", "claim.json", "--json").out)
    generate(cli, "--tables", "mine")
    assert SECRET.encode() not in Path("a.jsonl").read_bytes()
    for command in ("show", "stats"):
        assert SECRET not in cli(command, "a.jsonl").out


def test_the_list_of_another_release_needs_dates_of_its_time(home: Path, cli: Cli) -> None:
    content = tabular_path().read_bytes()
    content = content.replace(b"<desc>Obesity, class 1</desc>", b"<desc>Obesity of class 1</desc>")
    Path("icd10cm-tabular-June-1-2026.xml").write_bytes(content)
    told = cli("import", "icd10cm", "icd10cm-tabular-June-1-2026.xml", "--json")
    facts = json.loads(told.out)
    assert (facts["name"], facts["edition"]) == ("icd-2026-06", "ICD-10-CM June 2026")
    assert facts["counts"]["other_title"] == 1
    command = ("generate", "audit", "-n", "1", "--tables", "icd-2026-06", "-o", "x.jsonl")
    told = cli(*command).complaint()
    assert "--first-date: '2026-04-01'" in told and "from 2026-06-01 to 2026-09-30" in told
    for more in (("export", "out", "--seed", "1"), ("serve", "audit", "--port", "0")):
        told = cli(*more, "--tables", "icd-2026-06").complaint()
        assert "--tables: 'icd-2026-06" in told and "from 2026-06-01 to 2026-09-30" in told
    assert not Path("x.jsonl").exists()
    cases = generate(cli, "--tables", "icd-2026-06", "--first-date", "2026-06-01")
    assert all(case["encounter"]["service_date"] >= "2026-06-01" for case in cases)
    editions = {f["authority"]["edition"] for case in cases for f in case["findings"]}
    assert "ICD-10-CM June 2026" in editions and "ICD-10-CM April 2026" not in editions
    assert cli("validate", "a.jsonl", "--remake").status == 0
    world = casegen.make(
        "audit-v0", seed=1, tables="icd-2026-06", first_date="2026-06-01"
    ).world  # fmt: skip
    assert world.left_out == {"values of conditions": 1}
    assert "obesity.class_1" not in {o.key for pool in world.reasons.values() for o in pool.options}
    assert "Obesity of class 1" in cli("code", "E66.811", "--tables", "icd-2026-06").out
    for day in ("2026-05-31", "2026-10-01"):
        told = cli("code", "E66.811", "--tables", "icd-2026-06", "--date", day).complaint()
        assert f"--date: '{day}': the ICD-10-CM June 2026 of the tables icd-2026-06 holds" in told
        Path("claim.json").write_text(json.dumps({**CLAIM, "service_date": day}))
        told = cli("check", "claim.json", "--tables", "icd-2026-06").complaint()
        assert f"claim.json: service_date: '{day}': the ICD-10-CM June 2026" in told
        assert cli("check", "claim.json").status == 0


def test_a_code_of_the_rows_that_the_list_lacks_is_told_once_and_rightly(
    home: Path, cli: Cli
) -> None:
    content = tabular_path().read_bytes()
    Path("icd10cm-tabular-April-2026.xml").write_bytes(content.replace(b">A04.71<", b">A04.73<"))
    cli("import", "icd10cm", "icd10cm-tabular-April-2026.xml", "--name", "mine")
    title, state, *_ = cli("code", "A04.71", "--tables", "mine").out.splitlines()
    assert title == "A04.71  not in the tabular list"
    assert state.endswith("on 2026-04-01: valid by the dated rows alone")


def test_no_case_is_made_for_days_of_which_the_services_are_not_known(
    home: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    cli("import", "ncci", FILE, "--name", "mine")
    monkeypatch.setattr(load("mine").tables, "window", ("2024-04-01", "2024-09-30"))
    dates = ("--first-date", "2024-06-30", "--last-date", "2024-09-30")
    told = cli("generate", "audit", "-n", "1", "--tables", "mine", *dates).complaint()
    assert "--first-date: '2024-06-30'" in told and "from 2024-07-01 on" in told


def test_imports_into_one_name_add_up_and_are_listed_and_removed(home: Path, cli: Cli) -> None:
    Path("mue.csv").write_text(MUE)
    cli("import", "ncci", FILE)
    cli("import", "mue", "mue.csv", "--effective", "2025-02-03")
    told = json.loads(cli("import", "list", "--json").out)
    (one,) = told["sets"]
    assert one["name"] == "2025q1" and list(one["parts"]) == ["ncci", "mue"]
    assert one["damaged"] == []
    path = home / "tables" / "2025q1" / one["parts"]["mue"]["stored"]["units"]
    path.write_bytes(b"{}")
    assert f"DAMAGED  {path.name}" in cli("import", "list").out
    assert cli("import", "remove", "2025q1").status == 0
    assert cli("import", "list").out.startswith("no imported tables in ")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("ncci", "nothing.txt"), "No such file"),
        (("ncci", FILE, "--name", "../x"), "--name: '../x'"),
        (("ncci", FILE, "--name", "bundled"), "none of bundled"),
        (("ncci", FILE, "--effective", "soon"), "a date of the calendar"),
        (("mue", FILE), "no MUE table"),
        (("icd10cm", FILE), "no tabular list"),
        (("cpt", "nul"), "no CPT code"),
        (("mce", FILE), "its first line must be code,from,to,edits"),
        (("ncci",), "FILES: is missing"),
        (("drugs", FILE), "No such command"),
        (("remove", "mine"), "no imported set"),
    ],
)
def test_wrong_imports_get_one_line_and_leave_nothing(
    home: Path, cli: Cli, arguments: tuple[str, ...], told: str
) -> None:
    Path("nul").write_bytes(b"nothing at all\n")
    assert told in cli("import", *arguments).complaint()
    assert not (home / "tables").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ("generate", "audit", "-n", "1", "-o", "a.jsonl"),
        ("code", "I10"),
        ("check", "claim.json"),
    ],
)
def test_a_set_must_be_there(home: Path, cli: Cli, arguments: tuple[str, ...]) -> None:
    Path("claim.json").write_text("{}")
    cli("import", "ncci", FILE, "--name", "mine")
    for name, mend in (
        ("yours", "there are: mine"),
        ("a b", "imported set"),
        ("mine@000000000000", "something else"),
    ):
        told = cli(*arguments, "--tables", name).complaint()
        if arguments[0] != "check":
            assert mend in told or "letters, digits" in told


def damage(home: Path) -> Path:
    """Write another number of units than was imported."""
    folder = home / "tables" / "mine"
    (path,) = folder.glob("mue-units-*.json")
    path.write_bytes(path.read_bytes().replace(b"1", b"9"))
    return path


def test_a_damaged_kind_is_told_never_used_and_replaced_by_an_import(home: Path, cli: Cli) -> None:
    Path("mue-2025q1.csv").write_text(MUE)
    for kind, name in (("ncci", FILE), ("mue", "mue-2025q1.csv")):
        assert cli("import", kind, name, "--name", "mine").status == 0
    path = damage(home)
    (pairs,) = (home / "tables" / "mine").glob("ncci-keys-*.npy")
    pairs.write_bytes(b"\0" + pairs.read_bytes()[1:])
    assert "damaged" in cli("code", "93306", "--tables", "mine").complaint()
    told = cli("import", "list").out
    assert f"DAMAGED  {path.name}: casegen import mue mue-2025q1.csv --name mine" in told
    for kind, name in (("ncci", FILE), ("mue", "mue-2025q1.csv")):
        assert "damaged files are replaced" in cli("import", kind, name, "--name", "mine").out
    assert "DAMAGED" not in cli("import", "list").out
    assert cli("code", "93306", "--tables", "mine").status == 0


def test_one_unreadable_set_hides_no_other_and_can_be_removed(home: Path, cli: Cli) -> None:
    for name in ("mine", "yours"):
        cli("import", "ncci", FILE, "--name", name)
    (home / "tables" / "mine" / "manifest.json").write_text("{}")
    told = cli("import", "list").out
    assert "DAMAGED  manifest.json: casegen import remove mine" in told and "yours" in told
    (one, other) = json.loads(cli("import", "list", "--json").out)["sets"]
    assert one["damaged"] == ["manifest.json"] and other["damaged"] == []
    assert "import remove mine" in cli("import", "ncci", FILE, "--name", "mine").complaint()
    assert cli("import", "remove", "mine").status == 0


def test_an_import_whose_report_cannot_be_written_is_said_to_be_done(
    home: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("casegen.cli.importing._report", full)
    told = cli("import", "ncci", FILE, "--name", "mine").complaint()
    assert "standard output" in told and "the import itself is done, as set mine" in told
    assert (home / "tables" / "mine" / "manifest.json").is_file()


def test_descriptors_take_no_first_day(home: Path, cli: Cli) -> None:
    Path("texts.txt").write_text("93306\tOne")
    told = cli("import", "cpt", "texts.txt", "--effective", "2026-01-01").complaint()
    assert "--effective" in told


def test_a_folder_that_cannot_be_written_is_named(home: Path, cli: Cli) -> None:
    (home / "tables").write_text("a file where the folder should be")
    told = cli("import", "ncci", FILE).complaint()
    assert "tables" in told


def test_coding_cases_cite_the_imported_list(home: Path, cli: Cli) -> None:
    content = tabular_path().read_bytes()
    content = content.replace(b"<desc>Obesity, class 1</desc>", b"<desc>Obesity of class 1</desc>")
    Path("icd10cm-tabular-June-1-2026.xml").write_bytes(content)
    cli("import", "icd10cm", "icd10cm-tabular-June-1-2026.xml")
    command = ("generate", "coding", "-n", "25", "--seed", "7", "-o", "c.jsonl")
    made = cli(*command, "--tables", "icd-2026-06", "--first-date", "2026-06-01")
    assert made.status == 0, made.err
    cases = [orjson.loads(line) for line in Path("c.jsonl").read_bytes().splitlines()]
    cited = [one["authority"] for case in cases for one in (case["primary"], *case["wrong"])]
    tabular = {one["edition"] for one in cited if one["source"] == "tabular"}
    assert tabular == {"ICD-10-CM June 2026"}
    assert cli("validate", "c.jsonl", "--remake").status == 0
