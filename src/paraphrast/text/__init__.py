"""Split, tokenise with exact offsets, mask entities, truecase, and mend edited text."""

from paraphrast.text.encode import Encoded, encode
from paraphrast.text.language import LANGUAGES, Language, get_language
from paraphrast.text.split import split_sentences
from paraphrast.text.tokenise import Analysis, analyse
from paraphrast.text.truecase import Truecaser, learn

__all__ = [
    "LANGUAGES",
    "Analysis",
    "Encoded",
    "Language",
    "Truecaser",
    "analyse",
    "encode",
    "get_language",
    "learn",
    "split_sentences",
]
