"""Multinomial naive Bayes over hashed words, learned row by row, for codes not known beforehand.

The model is that of scikit-learn's ``MultinomialNB`` and gives its numbers (the tests compare
them). That class keeps a number for every pair of a code and a feature and must be told all codes
before it starts: with 5,000 codes and a million features 80 GB. Here the counts are a sparse matrix
that grows with the codes that come, since nearly all pairs never occur.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.feature_extraction.text import HashingVectorizer

FEATURES = 1 << 20
# How much is added to each count, so that a word not yet seen with a code does not rule it out.
# Codes are many and rows of each few, so little must be added; of 0.1 to 0.0003 the smallest was
# best on statements and titles alike.
SMOOTHING = 0.0003
# Counts that are kept, 8 bytes each. Beyond it the rarest go, so that memory has a bound.
MOST_COUNTS = 8_000_000

UNKNOWN = -1  # the rank of a code that the model has never met

Matrix = Any  # a sparse matrix of SciPy, which comes without types


def words() -> HashingVectorizer:
    """Texts to features: which words and pairs of neighbouring words occur, hashed."""
    return HashingVectorizer(
        n_features=FEATURES,
        ngram_range=(1, 2),
        token_pattern=r"(?u)\b\w+\b",  # single characters tell stages and types
        binary=True,
        norm=None,
        alternate_sign=False,
        dtype=np.float32,
    )


class NaiveBayes:
    """The model. ``smoothing`` and ``features`` are ``alpha`` and the columns of MultinomialNB."""

    def __init__(
        self,
        smoothing: float = SMOOTHING,
        features: int = FEATURES,
        most_counts: int = MOST_COUNTS,
    ) -> None:
        self.smoothing = smoothing
        self.features = features
        self.most_counts = most_counts
        self.numbers: dict[str, int] = {}  # of codes, in the order in which they came
        self._counts: Matrix = sparse.csr_matrix((features, 0), dtype=np.float32)
        self._rows = np.zeros(0)  # of each code
        self._words = np.zeros(0)  # of each code, all its features together

    def partial_fit(self, found: Matrix, codes: Sequence[str]) -> None:
        """Learn rows: a sparse matrix of 0 and 1 (rows by features) and the code of each row."""
        numbers = self.numbers
        column = np.array([numbers.setdefault(code, len(numbers)) for code in codes], np.int32)
        row = np.arange(len(codes), dtype=np.int32)
        ones = np.ones(len(codes), np.float32)
        which = sparse.csr_matrix((ones, (row, column)), shape=(len(codes), len(numbers)))
        new = (found.T @ which).tocsr()
        self._counts.resize(self.features, len(numbers))
        self._counts = self._counts + new
        self._rows = _longer(self._rows, len(numbers)) + np.bincount(column, minlength=len(numbers))
        self._words = _longer(self._words, len(numbers)) + np.asarray(new.sum(axis=0)).ravel()
        if self._counts.nnz > self.most_counts:
            self._forget()

    def _forget(self) -> None:
        """Drop the rarest counts, until half of the room is free."""
        least = 1
        while self._counts.nnz > self.most_counts // 2:
            self._counts.data[self._counts.data <= least] = 0
            self._counts.eliminate_zeros()
            least += 1

    def scores(self, found: Matrix) -> NDArray[np.float64]:
        """The joint log-probability of each row and code (rows by codes)."""
        scorer = _Scorer(self, found)
        return np.stack([scorer.of(row) for row in range(found.shape[0])])

    def ranks(self, found: Matrix, codes: Sequence[str]) -> NDArray[np.int64]:
        """How many codes the model holds for more likely than the right one, for each row.

        0 is a right prediction. Among equals the code that came first stands first. ``UNKNOWN``
        where the model has never met the code.
        """
        ranks = np.full(len(codes), UNKNOWN)
        if not self.numbers:
            return ranks
        scorer = _Scorer(self, found)
        for row, code in enumerate(codes):
            number = self.numbers.get(code)
            if number is not None:
                scores = scorer.of(row)
                own = scores[number]
                above = np.count_nonzero(scores > own)
                ranks[row] = above + np.count_nonzero(scores[:number] == own)
        return ranks

    def commonest(self) -> str | None:
        """The code that most rows had so far; of equals the first. None before any row."""
        if not self.numbers:
            return None
        return list(self.numbers)[int(self._rows.argmax())]


class _Scorer:
    """Scores of rows of one batch. The parts that rows share are made once.

    A code's score is ``log P(code) + sum of log((count + a) / (words + a * features))`` over the
    features of a row, which is a part for the length of the row and, for counts above 0 alone,
    ``log(1 + count / a)``.
    """

    def __init__(self, model: NaiveBayes, found: Matrix) -> None:
        used, self._place = np.unique(found.indices, return_inverse=True)
        self._ends = found.indptr
        counts = model._counts[used]
        self._gain = np.log1p(counts.data.astype(np.float64) / model.smoothing)
        self._column = counts.indices.astype(np.intp)
        self._starts = counts.indptr
        self._prior = np.log(model._rows) - np.log(model._rows.sum())
        total = model._words + model.smoothing * model.features
        self._absent = np.log(model.smoothing) - np.log(total)
        self._by_length: dict[int, NDArray[np.float64]] = {}

    def of(self, row: int) -> NDArray[np.float64]:
        """The score of each code."""
        place = self._place[self._ends[row] : self._ends[row + 1]]
        pieces = [slice(self._starts[p], self._starts[p + 1]) for p in place]
        base = self._base(len(place))
        if not pieces:
            return base
        column = np.concatenate([self._column[piece] for piece in pieces])
        gain = np.concatenate([self._gain[piece] for piece in pieces])
        return np.bincount(column, gain, minlength=len(base)) + base

    def _base(self, length: int) -> NDArray[np.float64]:
        known = self._by_length.get(length)
        if known is None:
            known = self._by_length[length] = self._prior + length * self._absent
        return known


def _longer(values: NDArray[np.float64], length: int) -> NDArray[np.float64]:
    return np.concatenate([values, np.zeros(length - len(values))])
