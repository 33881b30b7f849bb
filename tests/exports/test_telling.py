"""Which turn is the better one can't be told by its length, its voice or its words alone.

A model that learns from pairs or labels should have to judge what was shown. Codes and numbers are
masked: what is left is how one speaks, and what is quoted. That tells a little, since words such
as "unrelated" in a quotation bear on the judgement itself.
"""

from __future__ import annotations

import os
import re
from functools import cache
from typing import Any

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold

from casegen.exports.formats import row_format
from casegen.exports.plan import pieces
from casegen.exports.recipe import Recipe
from casegen.exports.units import units

FULL = os.environ.get("CASEGEN_FULL") == "1"
CASES = 2000 if FULL else 300
RECIPE = Recipe(CASES, 7, configs=("preference", "unpaired"), shares=(1, 0, 0))
FIGURES = re.compile(r"\S*\d\S*")
# What bags of words come to, and a little more; who reads more turns learns more.
MOST_BY_WORDS = 0.70 if FULL else 0.66
MOST_OF_PAIRS = 0.83 if FULL else 0.78


@cache
def rows() -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in RECIPE.configs}
    for piece in pieces(RECIPE):
        for unit in units(RECIPE, piece):
            for name, made in found.items():
                made += row_format(name).rows(unit)
    return found


def told(message: dict[str, Any]) -> str:
    """A turn as text: its reason, and the call with all that it gives."""
    (call,) = message["tool_calls"]
    function = call["function"]
    return " ".join(
        [message["content"], function["name"], *map(str, function["arguments"].values())]
    )


def masked(message: dict[str, Any]) -> str:
    return FIGURES.sub("#", told(message))


def longer(size: Any) -> float:
    """The share of pairs whose chosen turn is the longer one."""
    pairs = rows()["preference"]
    return float(np.mean([size(row["chosen"][0]) > size(row["rejected"][0]) for row in pairs]))


def test_the_chosen_turn_is_the_longer_one_in_half_of_the_pairs() -> None:
    by_reason, whole = longer(lambda one: len(one["content"])), longer(lambda one: len(told(one)))
    print(f"chosen longer: reason {by_reason:.2f}, whole turn {whole:.2f}")
    assert 0.35 <= by_reason <= 0.65
    assert 0.35 <= whole <= 0.65


def test_the_length_of_a_turn_does_not_tell_its_label() -> None:
    found = rows()["unpaired"]
    labels = [row["label"] for row in found]
    reason = roc_auc_score(labels, [len(row["completion"][0]["content"]) for row in found])
    whole = roc_auc_score(labels, [len(told(row["completion"][0])) for row in found])
    print(f"label by length: AUC {reason:.2f} by the reason, {whole:.2f} by the whole turn")
    assert 0.4 <= reason <= 0.6
    assert 0.4 <= whole <= 0.6


def test_labels_are_balanced() -> None:
    share = np.mean([row["label"] for row in rows()["unpaired"]])
    assert 0.3 <= share <= 0.7


def test_the_words_of_a_turn_tell_little_of_its_label() -> None:
    found = rows()["unpaired"]
    texts = [masked(row["completion"][0]) for row in found]
    labels = np.array([row["label"] for row in found])
    scores = np.zeros(len(found))
    cases = [row["case_id"] for row in found]
    for learnt, judged in GroupKFold(5).split(texts, groups=cases):
        bag = CountVectorizer(binary=True, min_df=2)
        model = LogisticRegression(C=0.3, max_iter=2000)
        model.fit(bag.fit_transform([texts[at] for at in learnt]), labels[learnt])
        scores[judged] = model.decision_function(bag.transform([texts[at] for at in judged]))
    auc = roc_auc_score(labels, scores)
    print(f"label by words: AUC {auc:.3f} of {len(found)} turns")
    assert auc <= MOST_BY_WORDS


def test_the_words_of_two_turns_do_not_tell_which_was_chosen() -> None:
    found = rows()["preference"]
    pairs = [(masked(row["chosen"][0]), masked(row["rejected"][0])) for row in found]
    right = np.zeros(len(found))
    for learnt, judged in GroupKFold(5).split(pairs, groups=[row["case_id"] for row in found]):
        bag = CountVectorizer(binary=True, min_df=2)
        bag.fit([text for at in learnt for text in pairs[at]])
        apart = [
            bag.transform([pairs[at][0] for at in some]).astype(int)
            - bag.transform([pairs[at][1] for at in some])
            for some in (learnt, judged)
        ]
        # Each pair in both orders.
        signs = np.array([1, -1] * len(learnt))
        order = np.repeat(np.arange(len(learnt)), 2)
        model = LogisticRegression(C=0.3, max_iter=2000, fit_intercept=False)
        model.fit(apart[0][order].multiply(signs[:, None]).tocsr(), signs > 0)
        right[judged] = model.decision_function(apart[1]) > 0
    print(f"chosen by words: {right.mean():.3f} of {len(found)} pairs")
    assert right.mean() <= MOST_OF_PAIRS
