"""The learner is scikit-learn's MultinomialNB, for codes that are not known beforehand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn.naive_bayes import MultinomialNB

from casegen.learn.learner import UNKNOWN, NaiveBayes, words

FEATURES = 64
CODES = ["E11.9", "I10", "J18.9", "N39.0", "R07.9"]


def some(rows: int, seed: int, features: int = FEATURES) -> sparse.csr_matrix:
    """Rows in which about one feature of eight occurs."""
    bits = np.random.Philox(key=seed).random_raw(rows * features).reshape(rows, features)
    return sparse.csr_matrix((bits % 8 == 0).astype(np.float32))


def codes_of(rows: int, seed: int) -> list[str]:
    return [CODES[int(word % len(CODES))] for word in np.random.Philox(key=seed).random_raw(rows)]


@pytest.mark.parametrize("smoothing", [1.0, 0.01, 0.0003])
def test_its_scores_are_those_of_scikit_learn_batch_by_batch(smoothing: float) -> None:
    ours = NaiveBayes(smoothing, FEATURES)
    theirs = MultinomialNB(alpha=smoothing)
    for batch in range(6):
        found, codes = some(40, batch), codes_of(40, 100 + batch)
        ours.partial_fit(found, codes)
        theirs.partial_fit(found, codes, classes=CODES)
        fresh = some(30, 200 + batch)
        order = [CODES.index(code) for code in ours.numbers]
        expected = theirs.predict_joint_log_proba(fresh)[:, order]
        np.testing.assert_allclose(ours.scores(fresh), expected, rtol=1e-9)


def test_a_rank_is_the_place_of_the_code_among_the_scores() -> None:
    model = NaiveBayes(0.01, FEATURES)
    model.partial_fit(some(200, 1), codes_of(200, 2))
    fresh, codes = some(50, 3), codes_of(50, 4)
    scores = model.scores(fresh)
    for row, rank in enumerate(model.ranks(fresh, codes)):
        own = scores[row, model.numbers[codes[row]]]
        assert rank == np.count_nonzero(scores[row] > own)


def test_among_equals_the_code_that_came_first_stands_first() -> None:
    model = NaiveBayes(1.0, FEATURES)
    model.partial_fit(sparse.csr_matrix(np.eye(3, FEATURES, dtype=np.float32)), ["B", "A", "C"])
    nothing = sparse.csr_matrix((3, FEATURES), dtype=np.float32)
    assert model.ranks(nothing, ["A", "B", "C"]).tolist() == [1, 0, 2]


def test_a_code_that_never_came_is_unknown_and_known_once_it_did() -> None:
    model = NaiveBayes(1.0, FEATURES)
    row = some(1, 1)
    assert model.ranks(row, ["E11.9"]).tolist() == [UNKNOWN]
    model.partial_fit(row, ["I10"])
    assert model.ranks(row, ["E11.9"]).tolist() == [UNKNOWN]
    model.partial_fit(row, ["E11.9"])
    assert model.ranks(row, ["E11.9"]).tolist() == [1]


def test_counts_have_a_bound_and_the_common_ones_stay() -> None:
    model = NaiveBayes(0.01, FEATURES, most_counts=100)
    common = sparse.csr_matrix(np.eye(1, FEATURES, dtype=np.float32))
    for batch in range(40):
        model.partial_fit(common, ["I10"])
        model.partial_fit(some(5, batch), [f"A{batch:02}.{i}" for i in range(5)])
        assert model._counts.nnz <= 100
    assert model.ranks(common, ["I10"]).tolist() == [0]


def test_single_characters_and_pairs_of_words_count() -> None:
    found = words().transform(["diabetes type 1", "diabetes type 2", "type diabetes 1"]).toarray()
    assert found.sum(axis=1).tolist() == [5, 5, 5]
    assert len({row.tobytes() for row in found}) == 3


def test_a_text_without_a_word_is_a_row_like_others() -> None:
    model, features = NaiveBayes(), words()
    model.partial_fit(features.transform(["---", "cough"]), ["R69", "R05.9"])
    assert model.ranks(features.transform(["..."]), ["R69"]).tolist() == [0]
