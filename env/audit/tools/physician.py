"""``ask_clarifying_question``: a physician who answers what is asked, one thing at a time.

A question is put to the topics that the physician may know of. Which topic it is after depends
on the question and these topics alone, so no wording draws whatever answer a case happens to
hold: at most one topic wins, and a question after several is refused.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

from casegen.schemas import Case
from casegen.schemas.pack import Task
from casegen.seeds import data

from ..case import case_of
from .question_words import Clause, Sentence, Word, read, words_of
from .subject import asks_of_other, names, subject, without_quotes, words_for

MOST_WORDS, MOST_CHARACTERS = 60, 400
NOTHING = "The physician has nothing to add to the note on that."
AGAIN = "The physician has answered that already."
ONE_THING = "Ask one thing at a time."
WHICH = "Which problem do you mean? Name it."
SHORTER = f"Ask in at most {MOST_WORDS} words and {MOST_CHARACTERS} characters."
IN_WORDS = "Put the question in words; a list of words is no question."

# Words that describe as often as they ask: "the initial visit for the left wrist". They count
# half, and are enough where nothing else is asked. All others but the weak ones count whole.
_DESCRIBE = "left right bilateral initial subsequent healing follow-up"
# Words of any visit, which count half and ask for nothing unless two stand close together.
_WEAK = "treatment active care injury encounter visit routine patient note record"
_HALF, _WHOLE = 1, 2
_NEAR = 3  # two weak words so many places apart belong together
_SEVERAL = 2  # a second topic with as much is asked for too
_LISTED = 3  # so many keywords without a question are a list
_MOST_NAMED = 8  # words of keywords in a question, repeated ones included
_QUESTIONS = 2_048
_ANSWERS = 256  # each holds on to its case

Keywords = tuple[str, ...]
Topics = tuple[tuple[str, Keywords], ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """What the physician says.

    ``topic`` is the topic that was asked for, also where it was answered before; None where
    there is nothing to say. ``refused``: the question can't be taken as it is, and ``why``
    says so; ``why`` is empty otherwise but for a topic that was answered before.
    """

    topic: str | None
    text: str
    refused: bool = False
    why: str = ""


def answer(task: Task, question: str, asked: Collection[str] = ()) -> Answer:
    """The physician's answer. ``asked`` holds the topics that were answered before."""
    if len(question) > MOST_CHARACTERS or len(question.split()) > MOST_WORDS:
        return Answer(None, SHORTER, True, SHORTER)
    told = _said(question, _Heard(case_of(task), _key(case_of(task))))
    return Answer(told.topic, AGAIN, False, AGAIN) if told.topic in asked else told


@dataclass(frozen=True, slots=True)
class _Heard:
    """A case by all of it that bears on an answer."""

    case: Case = field(compare=False)
    key: tuple[object, ...]


def _key(case: Case) -> tuple[object, ...]:
    return (
        case.note,
        case.tables.digest,
        tuple([fact.term for fact in case.record]),
        tuple([(line.code, line.description) for line in case.claim]),
        tuple([(one.topic, one.answer, one.fact, *one.keywords) for one in case.questions]),
    )


@lru_cache(maxsize=_ANSWERS)
def _said(question: str, heard: _Heard) -> Answer:
    """The answer where nothing was asked before."""
    case = heard.case
    own = tuple([(one.topic, tuple(one.keywords)) for one in case.questions])
    general = [one for one in case.questions if _is_general(one.topic, tuple(one.keywords))]
    words = [words_for(case, one) for one in general]
    sided = [words_for(case, one).wide for one in case.questions if "side" in one.keywords]
    named = frozenset().union(*sided)
    topic, refusal = _topic(without_quotes(question, case, general), own, named)
    if refusal:
        return Answer(None, refusal, True, refusal)
    if topic is None:
        return Answer(None, NOTHING)
    meant = [
        (one, names(question, told))
        for one, told in zip(general, words, strict=True)
        if one.topic == topic and not asks_of_other(question, told, topic)
    ]
    if len(meant) > 1:
        meant = [one for one in meant if one[1]] or meant
    if len(meant) > 1:
        return Answer(None, WHICH)
    if meant:
        one = meant[0][0]
        return Answer(topic, f"About '{subject(case, one)}': {_small(one.answer)}")
    for one in case.questions:
        if one.topic == topic and one not in general:
            return Answer(topic, one.answer)
    return Answer(None, NOTHING)


def _small(said: str) -> str:
    return said[:1].lower() + said[1:]


@lru_cache(maxsize=256)
def _is_general(topic: str, keywords: Keywords) -> bool:
    """Whether a question is one of side or phase that could be about anything; others name what
    they are about by their own keywords."""
    return set(keywords) <= set(dict(_general()).get(topic, ()))


@lru_cache(maxsize=_QUESTIONS)
def _topic(question: str, own: Topics, named: frozenset[str]) -> tuple[str | None, str]:
    """The topic that a question is after, or why it is refused. ``named`` are the stems of the
    fact that is open."""
    topics = _with_general(own)
    sentences = read(question, named)
    if _is_list(sentences, topics):
        return None, IN_WORDS
    best: dict[str, int] = {}
    for clause in _asking(sentences, topics):
        winner, score, several = _winner(clause, topics)
        if several:
            return None, ONE_THING
        if winner is not None:
            best[winner] = score + best.get(winner, 0)
    if max(best.values(), default=0) >= _WHOLE:
        # One word that describes asks for no second topic beside a real question.
        best = {topic: score for topic, score in best.items() if score > _HALF}
    if len(best) > 1:
        return None, ONE_THING
    return next(iter(best), None), ""


def _with_general(own: Topics) -> Topics:
    """The topics of the case and those that any case may have, so that a question after a topic
    that this case lacks is understood as such. A general topic that shares a keyword with one
    of the case is the same by another name."""
    names = {name for name, _ in own}
    words = {keyword for _, keywords in own for keyword in keywords}
    return own + tuple(
        (name, keywords)
        for name, keywords in _general()
        if name not in names and words.isdisjoint(keywords)
    )


@lru_cache(maxsize=1)
def _general() -> Topics:
    forms = data.read("questions.yaml")
    return tuple((name, tuple(form["keywords"])) for name, form in forms.items())


def _asking(sentences: list[Sentence], topics: Topics) -> list[Clause]:
    """The clauses that ask; what only says which injury or visit is meant is left out, unless
    nothing else names a topic."""
    asked = [one for one in sentences if one.asks] or sentences
    every = [clause for one in asked for clause in one.clauses]
    chosen = [clause for clause in every if not clause.aside]
    if any(_scores(clause, topics) for clause in chosen):
        return chosen
    if any(_scores(clause, topics) for clause in every):
        return every
    return [clause for one in sentences for clause in one.clauses]


def _winner(clause: Clause, topics: Topics) -> tuple[str | None, int, bool]:
    """The topic of a clause with its half points, and whether it is after several."""
    scores = _scores(clause, topics)
    if not scores:
        return None, 0, False
    order = sorted(scores.items(), key=lambda entry: -entry[1])
    topic, best = order[0]
    if len(order) > 1 and (order[1][1] == best or order[1][1] >= _SEVERAL):
        return None, 0, True
    return topic, best, False


def _scores(clause: Clause, topics: Topics) -> dict[str, int]:
    """Half points of the topics that a clause names."""
    found = {}
    for name, keywords in topics:
        score = _score(clause.words, keywords)
        if score:
            found[name] = score
    return found


def _score(words: tuple[Word, ...], keywords: Keywords) -> int:
    score, weak = 0, []
    asks = False
    for keyword in _stems_of(keywords):
        at = _place(words, keyword)
        if at < 0:
            continue
        if keyword in _weak():
            score += _HALF
            weak.append(at)
        else:
            asks = True
            score += _HALF if keyword in _describing() else _WHOLE
    weak.sort()
    near = any(b - a <= _NEAR for a, b in pairwise(weak))
    return score if asks or near else 0


def _place(words: tuple[Word, ...], keyword: tuple[str, ...]) -> int:
    """Where the words of a keyword stand side by side; -1 for nowhere."""
    size = len(keyword)
    for at in range(len(words) - size + 1):
        if tuple([word.stem for word in words[at : at + size]]) == keyword:
            return at
    return -1


def _is_list(sentences: list[Sentence], topics: Topics) -> bool:
    """Whether keywords stand there without a question, or more of them than any question has."""
    words = tuple(word for one in sentences for clause in one.clauses for word in clause.words)
    named = {
        keyword
        for _, keywords in topics
        for keyword in _stems_of(keywords)
        if _place(words, keyword) >= 0
    }
    parts = {stem for keyword in named for stem in keyword}
    if sum(word.stem in parts for word in words) > _MOST_NAMED:
        return True
    return len(named) >= _LISTED and not any(sentence.asks for sentence in sentences)


@lru_cache(maxsize=256)
def _stems_of(keywords: Keywords) -> tuple[tuple[str, ...], ...]:
    """The keywords as stems, each once; words such as "what" and "the" are none."""
    stems = (tuple(word.stem for word in words_of(keyword)) for keyword in keywords)
    return tuple(dict.fromkeys(stem for stem in stems if stem))


@lru_cache(maxsize=1)
def _describing() -> frozenset[tuple[str, ...]]:
    return frozenset(_stems_of(tuple(_DESCRIBE.split())))


@lru_cache(maxsize=1)
def _weak() -> frozenset[tuple[str, ...]]:
    return frozenset(_stems_of(tuple(_WEAK.split())))
