"""Compiled loop of the context vectors: a sparse product that is added up over blocks of rows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import kernel


@kernel
def add_transposed(
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    data: NDArray[np.float32],
    left: NDArray[np.float64],
    total: NDArray[np.float64],
) -> None:
    """Add the product of a transposed sparse matrix and ``left``, float64[rows, n], to ``total``, float64[columns, n].

    Rows are added in their order, so a matrix that is divided into blocks of rows gives the same bits.
    """
    for row in range(len(indptr) - 1):
        for place in range(indptr[row], indptr[row + 1]):
            column = indices[place]
            value = np.float64(data[place])
            for dimension in range(left.shape[1]):
                total[column, dimension] += value * left[row, dimension]
