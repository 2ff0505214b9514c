"""The questions for raters with their possible answers, by the name of a template.

Each is a scale from the literature: yes or no (Quirk et al. 2004, §4; Zhao et al. 2008, §6.2 with its three kinds of
error), grammaticality and fidelity from 1 to 4 (Shen et al. 2006), accuracy and fluency from 0 to 5 (Owczarzak et al.
2006), same category and same meaning of a phrase (Owczarzak et al. 2006), 0, 1 or 2 for a phrase (Martzoukos and Monz
2012, §4.2), and the four qualities of Quirk et al.'s table 3.
"""

from __future__ import annotations

from paraphrast.errors import InputError
from paraphrast.judge.own_templates import read_template
from paraphrast.judge.questions import Question, Template


def _scale(*labels: str, first: int) -> tuple[tuple[int, str], ...]:
    return tuple(enumerate(labels, first))


_ALL = (
    Template(
        "paraphrase",
        (Question("paraphrase", "Is the output a paraphrase of the input?"),),
        instructions="Say whether the two texts mean about the same. Details may differ where the main statement "
        "stays. Where raters differ, all of them look a second time.",
    ),
    Template(
        "acceptable",
        (
            Question("acceptable", "Is the output understandable, and its meaning not evidently changed?"),
            Question(
                "error",
                "What is wrong with it?",
                _scale("syntactic", "semantic", "non-paraphrase", first=1),
                least=4,
                only_if=("acceptable", 0),
            ),
        ),
        instructions="Accept an output that you understand and whose meaning is not evidently changed. If you do not "
        "accept it, name the main reason.",
    ),
    Template(
        "grammar-fidelity",
        (
            Question(
                "grammaticality",
                "How grammatical is the output?",
                _scale("not at all", "mostly not", "mostly", "perfectly", first=1),
                graded=True,
                least=3,
            ),
            Question(
                "fidelity",
                "How faithful is it to what the input says?",
                _scale("nonsense", "with unfaithful pieces", "quite faithful", "perfectly faithful", first=1),
                graded=True,
                least=3,
            ),
        ),
        instructions="The input is a group of sentences about one event. Rate the language of the output by itself, "
        "then how far it says what the sentences of the group say.",
    ),
    Template(
        "accuracy-fluency",
        (
            Question(
                "accuracy",
                "How much of the meaning is there?",
                _scale("none", "very little", "little", "much", "most", "all", first=0),
                graded=True,
                least=4,
            ),
            Question(
                "fluency",
                "How good is the language?",
                _scale(
                    "no language", "incomprehensible", "disfluent", "non-native", "good", "flawless", first=0
                ),
                graded=True,
                least=4,
            ),
        ),
        instructions="Rate how much of the meaning of the input the output keeps, and how good its language is.",
    ),
    Template(
        "category-meaning",
        (
            Question("category", "Is the paraphrase of the same syntactic category as the phrase?"),
            Question("meaning", "Does the paraphrase mean the same as the phrase?"),
        ),
        ("phrase", "paraphrase"),
        "Two separate questions. Category: could the paraphrase stand in a sentence where the phrase stands, and the "
        "sentence stay grammatical? Meaning: is there a sentence in which both mean the same?",
    ),
    Template(
        "phrase",
        (
            Question(
                "phrase",
                "Does the paraphrase mean the same as the phrase?",
                _scale("different", "same, but ungrammatical here or an inflection", "same", first=0),
                graded=True,
            ),
        ),
        ("phrase", "paraphrase"),
        "2: the same meaning. 1: the same meaning, but ungrammatical here, or another inflection of the phrase. 0: "
        "anything else.",
    ),
    Template(
        "substitution",
        (
            Question(
                "correct", "Does it mean the same in this sentence, and does the sentence stay grammatical?"
            ),
        ),
        ("phrase", "substitute"),
        "Read the sentence with the words in brackets replaced. Say yes only if it means the same and is grammatical.",
    ),
    Template(
        "qualities",
        (
            Question("rearrangement", "Are parts significantly reordered?"),
            Question("alternation", "Is there a phrasal alternation?"),
            Question("added", "Is information added?"),
            Question("lost", "Is information lost?"),
        ),
        instructions="Say of every output what kind of change it makes. Several answers may be yes.",
    ),
)
TEMPLATES: dict[str, Template] = {template.name: template for template in _ALL}


def get_template(name: str) -> Template:
    """A template by name, or from a file whose name ends with ``.toml``."""
    if name.endswith(".toml"):
        return read_template(name)
    try:
        return TEMPLATES[name]
    except KeyError:
        raise InputError(
            f"unknown template {name!r}", remedy=f"known: {', '.join(TEMPLATES)}, or a TOML file"
        ) from None
