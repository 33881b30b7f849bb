"""TRL trains on an export as it is: a tiny model, a few steps, offline, on the CPU."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from casegen.exports.manifest import Manifest
from casegen.exports.recipe import Recipe
from casegen.exports.writer import export

_WHY = "needs the extra train: make train-env"
pytest.importorskip("torch", reason=_WHY)
pytest.importorskip("trl", reason=_WHY)
pytestmark = pytest.mark.slow

RECIPE = Recipe(40, 5, shares=(1, 0, 0), options={"difficulty": "easy"})
LONGEST = 4_000  # tokens; only rows that a CPU goes through in a second or two

Rows = Callable[..., Any]


@pytest.fixture(scope="module")
def everything(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Manifest]:
    folder = tmp_path_factory.mktemp("trainers") / "export"
    return folder, export(RECIPE, folder)


@pytest.fixture(scope="module")
def rows(everything: tuple[Path, Manifest], tmp_path_factory: pytest.TempPathFactory) -> Rows:
    """``load_dataset`` of a configuration."""
    from datasets import disable_progress_bars, load_dataset

    disable_progress_bars()
    cache = str(tmp_path_factory.mktemp("cache"))

    def loaded(config: str, streaming: bool = False) -> Any:
        return load_dataset(
            str(everything[0]), config, split="train", cache_dir=cache, streaming=streaming
        )

    return loaded


@pytest.fixture(scope="module")
def words(rows: Rows) -> Any:
    """The tokenizer."""
    import tiny_model

    return tiny_model.tokenizer(told["content"] for row in rows("sft") for told in row["messages"])


@pytest.fixture(scope="module")
def model(words: Any, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The folder of an untrained model."""
    import tiny_model

    return str(tiny_model.saved_model(words, tmp_path_factory.mktemp("model")))


def settings(folder: Path, **more: Any) -> dict[str, Any]:
    """The settings that all trainers share here."""
    return {
        "output_dir": str(folder),
        "use_cpu": True,
        "bf16": False,
        "report_to": [],
        "save_strategy": "no",
        "logging_steps": 1,
        "disable_tqdm": True,
        "lr_scheduler_type": "constant",
        "seed": 1,
        **more,
    }


def logged(trainer: Any, name: str) -> list[float]:
    """A figure of each step."""
    return [float(one[name]) for one in trainer.state.log_history if name in one]


def shortest(found: Any, size: Callable[[Any], int], number: int) -> Any:
    """The rows with the fewest tokens."""
    sizes = [size(row) for row in found]
    chosen = sorted(range(len(sizes)), key=sizes.__getitem__)[:number]
    assert sizes[chosen[-1]] <= LONGEST
    return found.select(chosen)


def tokens(words: Any, told: Any, row: Any) -> list[int]:
    """Messages as a model reads them."""
    ids: list[int] = words.apply_chat_template(told, tools=row.get("tools"), return_dict=False)
    return ids


# --- fine-tuning


def test_the_answer_tokens_are_the_turns_of_the_assistant_and_nothing_else(
    rows: Rows, words: Any
) -> None:
    row = rows("sft")[0]
    made = words.apply_chat_template(
        row["messages"], tools=row["tools"], return_dict=True, return_assistant_tokens_mask=True
    )
    pairs = zip(made["input_ids"], made["assistant_masks"], strict=True)
    told = words.decode([token for token, mine in pairs if mine])
    turns = [one for one in row["messages"] if one["role"] == "assistant"]
    assert told.count("<|end|>") == len(turns) == row["num_steps"]
    for part, turn in zip(told.split("<|end|>"), turns, strict=False):
        why, _, call = part.partition("<|call|>")
        assert why == turn["content"]
        assert turn["tool_calls"][0]["function"]["name"] in call


@pytest.mark.parametrize(
    ("config", "streaming"), [("sft", False), ("sft", True), ("sft_text", False)]
)
def test_the_loss_on_the_answer_tokens_falls(
    rows: Rows, words: Any, model: str, tmp_path: Path, config: str, streaming: bool
) -> None:
    from trl import SFTConfig, SFTTrainer

    known = shortest(rows(config), lambda row: len(tokens(words, row["messages"], row)), 1)
    found = known
    if streaming:
        names = set(known["id"])
        found = rows(config, streaming=True).filter(lambda row: row["id"] in names)
    trainer = SFTTrainer(
        model=model,
        args=SFTConfig(
            **settings(
                tmp_path,
                max_steps=5,
                learning_rate=1e-2,
                per_device_train_batch_size=1,
                per_device_eval_batch_size=1,
                max_length=LONGEST,
                assistant_only_loss=True,
            )
        ),
        train_dataset=found,
        eval_dataset=known,
        processing_class=words,
    )
    before = trainer.evaluate()["eval_loss"]
    trainer.train()
    after = trainer.evaluate()["eval_loss"]
    print(f"{config}, streaming {streaming}: loss {before:.2f} -> {after:.2f}")
    assert before == pytest.approx(math.log(len(words)), abs=0.5)  # it knew nothing
    assert after < before - 1


# --- preferences


def test_the_chosen_turns_become_likelier_than_the_rejected_ones(
    rows: Rows, words: Any, model: str, tmp_path: Path
) -> None:
    from trl import DPOConfig, DPOTrainer

    found = shortest(rows("preference"), lambda row: len(tokens(words, row["prompt"], row)), 2)
    trainer = DPOTrainer(
        model=model,
        args=DPOConfig(
            **settings(
                tmp_path,
                max_steps=3,
                learning_rate=1e-3,
                per_device_train_batch_size=2,
                max_length=LONGEST,
            )
        ),
        train_dataset=found,
        processing_class=words,
    )
    trainer.train()
    loss, margins = logged(trainer, "loss"), logged(trainer, "rewards/margins")
    print(f"preference: loss {loss[0]:.3f} -> {loss[-1]:.3f}, margin {margins[-1]:.3f}")
    assert loss[0] == pytest.approx(math.log(2), abs=0.01)
    assert loss[-1] < loss[0] - 0.05
    assert margins[-1] > 0.1
    assert logged(trainer, "rewards/accuracies")[-1] == 1.0


def test_single_turns_with_a_label_are_learnt_from(
    rows: Rows, words: Any, model: str, tmp_path: Path
) -> None:
    from datasets import concatenate_datasets
    from trl import KTOConfig, KTOTrainer

    sorts = [
        rows("unpaired").filter(lambda row, wanted=wanted: row["label"] is wanted)
        for wanted in (True, False)
    ]
    few = [shortest(one, lambda row: len(tokens(words, row["prompt"], row)), 1) for one in sorts]
    trainer = KTOTrainer(
        model=model,
        args=KTOConfig(
            **settings(
                tmp_path,
                max_steps=2,
                learning_rate=1e-3,
                per_device_train_batch_size=2,
                max_length=LONGEST,
            )
        ),
        train_dataset=concatenate_datasets(few),
        processing_class=words,
    )
    trainer.train()
    loss, margins = logged(trainer, "loss"), logged(trainer, "rewards/margins")
    print(f"unpaired: loss {loss[0]:.3f} -> {loss[-1]:.3f}, margin {margins[-1]:.3f}")
    assert loss[-1] < loss[0] - 0.05
    assert margins[-1] > 0.1


# --- online


def call(name: str, arguments: dict[str, Any]) -> list[dict[str, Any]]:
    """A turn that calls one tool."""
    function = {"name": name, "arguments": arguments}
    calls = [{"type": "function", "function": function}]
    return [{"role": "assistant", "content": "", "tool_calls": calls}]


@pytest.fixture(scope="module")
def prompt(rows: Rows, words: Any) -> Any:
    """The shortest row of ``prompts`` whose claim has one error."""
    found = rows("prompts").filter(lambda row: row["family"] == "audit" and len(row["answer"]) == 1)
    return shortest(found, lambda row: len(tokens(words, row["prompt"], row)), 1)


@pytest.fixture(scope="module")
def taught(prompt: Any, words: Any, model: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A model that mostly answers one prompt with the right report."""
    from datasets import Dataset
    from trl import SFTConfig, SFTTrainer

    row = prompt[0]
    right = [{name: row["answer"][0][name] for name in ("code", "error_type")}]
    turn = call("submit_report", {"report": right})
    # The words first, which is quick; then at the end of the prompts that will be played.
    short = [{"role": "user", "content": row["prompt"][-1]["content"][-200:]}]
    lessons = [{"prompt": short, "completion": turn, "tools": None}] * 120
    for shown in (None, row["tools"]) * 16:
        lessons.append({"prompt": row["prompt"], "completion": turn, "tools": shown})
    folder = tmp_path_factory.mktemp("taught")
    trainer = SFTTrainer(
        model=model,
        args=SFTConfig(
            **settings(
                folder,
                num_train_epochs=1,
                learning_rate=5e-3,
                per_device_train_batch_size=2,
                max_length=LONGEST,
                train_sampling_strategy="sequential",
            )
        ),
        train_dataset=Dataset.from_list(lessons),
        processing_class=words,
    )
    trainer.train()
    assert logged(trainer, "loss")[-1] < 0.2
    trainer.save_model(str(folder))
    return str(folder)


def grpo(taught: str, words: Any, prompt: Any, folder: Path, **more: Any) -> Any:
    """A trainer after two steps of four completions."""
    from trl import GRPOConfig, GRPOTrainer

    trainer = GRPOTrainer(
        model=taught,
        args=GRPOConfig(
            **settings(
                folder,
                max_steps=2,
                learning_rate=1e-4,
                per_device_train_batch_size=4,
                num_generations=4,
                max_completion_length=96,
                temperature=0.7,
            )
        ),
        train_dataset=prompt,
        processing_class=words,
        **more,
    )
    trainer.train()
    return trainer


def test_grpo_pays_by_the_reward_function(
    taught: str, words: Any, prompt: Any, tmp_path: Path
) -> None:
    from casegen.exports.rewards import audit_reward

    trainer = grpo(taught, words, prompt, tmp_path, reward_funcs=audit_reward)
    paid = logged(trainer, "rewards/audit_reward/mean")
    print(f"reward function: {paid}")
    assert len(paid) == 2
    assert max(paid) >= 0.25  # at least one completion of four was the right report


def test_grpo_plays_in_the_environment_which_pays_it(
    taught: str, words: Any, prompt: Any, tmp_path: Path
) -> None:
    from casegen.env.trl import environment_factory

    trainer = grpo(
        taught, words, prompt, tmp_path, environment_factory=environment_factory("audit")
    )
    paid = logged(trainer, "rewards/MedicalCodingTools/mean")
    print(f"environment: {paid}, {logged(trainer, 'tools/call_frequency')} calls")
    assert max(paid) >= 0.25
    assert max(logged(trainer, "tools/call_frequency")) >= 0.25
    # The trainer keeps the environments of the last step.
    rewards = [one.get_reward() for one in trainer.environments]
    assert sum(rewards) / len(rewards) == pytest.approx(paid[-1])
