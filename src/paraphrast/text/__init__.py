"""Split, tokenise with exact offsets, mask entities, truecase, and repair edited text."""

from paraphrast.text.casing import copy_case
from paraphrast.text.encode import encode
from paraphrast.text.encode_block import Encoded
from paraphrast.text.identify import identify_language
from paraphrast.text.languages.record import Language
from paraphrast.text.languages.registry import LANGUAGES, get_language
from paraphrast.text.repair import Draft, Mender, apply_drafts, mend
from paraphrast.text.split import split_sentences
from paraphrast.text.tokenise import Analysis, analyse
from paraphrast.text.truecase import Truecaser, learn

__all__ = [
    "LANGUAGES",
    "Analysis",
    "Draft",
    "Encoded",
    "Language",
    "Mender",
    "Truecaser",
    "analyse",
    "apply_drafts",
    "copy_case",
    "encode",
    "get_language",
    "identify_language",
    "learn",
    "mend",
    "split_sentences",
]
