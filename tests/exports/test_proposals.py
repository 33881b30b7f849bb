"""What the expert proposes was read before, and is what its field says that it holds."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from casegen.env.audit.agents.shown import Shown
from casegen.env.audit.models import MedicalCodingAction
from casegen.env.tasks import find_task
from casegen.exports.messages import opening, result_text
from casegen.exports.rollout import rollout
from casegen.schemas import Finding
from casegen.schemas.pack import Task
from casegen.schemas.trajectory import Trajectory, TrajectoryStep

from .played import documented, played, tasks

NONE = re.compile(r"so I propose none|proposal stays open|I propose no code|I do not guess it")
Flagged = tuple[Task, Trajectory, int, TrajectoryStep, Finding]


def named(text: str, code: str) -> bool:
    """Whether a text holds a code, not as a part of another."""
    return re.search(rf"(?<![\w.]){re.escape(code)}(?!\.?\w)", text) is not None


def flagged() -> Iterator[Flagged]:
    """The flags of the expert on what is to be replaced or lacks a modifier."""
    for one in (*tasks(), *documented()):
        episode = played(one, "expert")
        for at, step in enumerate(episode.steps):
            act = step.action
            if act["action_type"] != "flag_error":
                continue
            for finding in one.case.findings:
                codes, kinds = finding.accepted_codes, finding.accepted_error_types
                if act["code"] in codes and act["error_type"] in kinds:
                    yield one, episode, at, step, finding
                    break


def given(episode: Trajectory) -> str:
    """What stands there from the beginning."""
    return "\n".join(m["content"] for m in opening("audit", episode.steps[0].observation))


def told(text: str, code: str) -> bool:
    """Whether a text says what a code stands for: with its title, or as another side or another
    seventh character of a code with a title."""
    one = re.escape(code)
    return any(
        re.search(form, text, re.M)
        for form in (
            rf"^ *{one}  \S",
            rf"(?<![\w.]){one} \(\w",
            rf"^Side: .* {one}[,.]",
            rf"^  \w  .+: {one}(  \(this code\))?$",
        )
    )


def supported(code: str, episode: Trajectory, steps: list[TrajectoryStep]) -> bool:
    """Whether the claim or a look-up says what a proposal stands for; a modifier has to be named
    by the look-up of a pair that holds its code."""
    line, _, modifier = code.partition("-")
    if modifier:
        pairs = [s for s in steps if line in (s.action.get("code1"), s.action.get("code2"))]
        return any(
            re.search(rf"(?:Modifiers that may lift it: |takes modifier ).*\b{modifier}\b",
                      step.result["tool_result"])
            for step in pairs
        )  # fmt: skip
    claim = episode.steps[0].observation["proposed_codes"]
    return line in claim or any(told(result_text("audit", step), line) for step in steps)


def test_each_proposal_of_the_expert_was_read_before() -> None:
    kinds: Counter[str] = Counter()
    for one, episode, at, step, finding in flagged():
        code = step.action.get("suggested_code")
        if code is not None:
            assert supported(code, episode, episode.steps[:at]), (one.case.id, code)
            kinds[finding.error_type] += 1
    assert set(kinds) == {"specificity_error", "untraceable_code", "ncci_edit"}


def test_without_the_step_that_shows_it_a_proposal_is_unsupported() -> None:
    removed: Counter[str] = Counter()
    for _, episode, at, step, _ in flagged():
        code = step.action.get("suggested_code")
        if code is None or named(given(episode), code):
            continue
        before = episode.steps[:at]
        showing = [one for one in before if supported(code, episode, [one])]
        assert showing
        assert not supported(code, episode, [one for one in before if one not in showing])
        removed[showing[0].action["action_type"]] += 1
    assert removed["query_guideline"] > 30
    assert removed["check_ncci_edits"] > 3


def test_what_no_step_has_shown_is_neither_proposed_nor_named() -> None:
    unshown: Counter[str] = Counter()
    for one, episode, at, step, finding in flagged():
        right = finding.correction.replacement
        if right is None or one.own_rules:
            continue
        said = f"{step.rationale} {step.action['justification']}"
        assert ("suggested_code" not in step.action) == bool(NONE.search(said)), said
        if "suggested_code" not in step.action:
            assert not supported(right, episode, episode.steps[:at])
            assert not named(said, right), said
            unshown[finding.kind] += 1
    assert {"never_existed", "retired"} <= set(unshown)


def test_codes_that_were_reported_as_guessed_are_guessed_no_more() -> None:
    """Reported: F10.20 to F10.230, G40.909 to G40.309, J95.20 to J45.20."""
    for index, code in ((4, "F10.20"), (10, "G40.909"), (29, "J95.20"), (45, "L82.1")):
        episode = rollout(find_task("audit", seed=7, index=index), "expert", 0)
        (step,) = (
            step
            for step in episode.steps
            if step.action.get("error_type") and step.action["code"] == code
        )
        assert "suggested_code" not in step.action
        assert step.action["justification"].startswith(("No release", f"{code} "))


def test_the_right_code_stands_in_the_justification_where_it_is_proposed() -> None:
    for one, _, _, step, finding in flagged():
        code = step.action.get("suggested_code")
        if code is not None and not one.own_rules:
            assert named(step.action["justification"], code)
            assert named(step.rationale or "", code)
            title = finding.explanation.partition(f"{code} (")[2].rstrip(").")
            assert not title or title not in step.action["justification"]


def test_a_missing_modifier_is_proposed_with_its_code_as_the_field_is_described() -> None:
    modifiers: Counter[str] = Counter()
    for _, _, _, step, finding in flagged():
        if finding.correction.action != "add_modifier":
            continue
        modifier = finding.correction.replacement or ""
        assert step.action["suggested_code"] == f"{finding.correction.code}-{modifier}"
        assert f"without modifier {modifier}" in step.action["justification"]
        modifiers[modifier] += 1
    assert len(modifiers) > 1
    described = MedicalCodingAction.model_fields["suggested_code"].description or ""
    assert "with the modifier that it lacks (45380-59)" in described


def test_a_code_that_is_only_named_is_not_proposed() -> None:
    """Reported: J30.1 was proposed from a list of codes without titles."""
    bare = "The list has J30 (Vasomotor and allergic rhinitis), which divides into J30.0, J30.1."
    full = (
        "The list has J30 (Vasomotor and allergic rhinitis), which divides into:\n  J30.1  Allergic"
    )
    shown = Shown()
    shown.codes["J30.3"] = bare
    assert not shown.meaning("J30.1")
    assert shown.meaning("J30")
    shown.codes["J30.3"] = full
    assert shown.meaning("J30.1")
    assert not shown.meaning("J30.0")
