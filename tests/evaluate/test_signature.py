"""Signatures are one line, and tell contents apart."""

from __future__ import annotations

import numpy as np

import paraphrast
from paraphrast.evaluate.signature import fingerprint, signature


def test_a_signature_is_fields_in_order_with_the_version_last() -> None:
    line = signature("aer", [("seed", 1), ("left", None), ("level", 0.95), ("file", "a|b:c")])
    assert line == f"aer|seed:1|level:0.95|file:a/b=c|version:{paraphrast.__version__}"


def test_a_fingerprint_sees_values_and_shape_not_byte_order() -> None:
    one = np.array([1, 2, 3], dtype="<i4")
    assert fingerprint(one) == fingerprint(one.astype(">i4"))
    assert fingerprint(one) != fingerprint(np.array([1, 2, 4], dtype="<i4"))
    assert fingerprint(one[:1], one[1:]) != fingerprint(one[:2], one[2:])
    assert len(fingerprint(one)) == 8
