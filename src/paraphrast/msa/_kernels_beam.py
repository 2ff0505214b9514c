"""Beam search through a word graph with a language model and the sources of the current stretch."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import inner_kernel, kernel
from paraphrast._numeric import advance, start_state
from paraphrast.types import SENTENCE_END, PackedNgrams

_PRIME = np.uint64(0x9E3779B97F4A7C15)


@inner_kernel
def _remove(
    node: int,
    slot: int,
    beam: int,
    score: NDArray[np.float64],
    back: NDArray[np.int32],
    changes: NDArray[np.int32],
    words: NDArray[np.int32],
    told: NDArray[np.float64],
    state: NDArray[np.int64],
    spelled: NDArray[np.uint64],
    run: NDArray[np.uint64],
) -> None:
    """Remove a path from its bucket; the paths after it move up."""
    last = slot // beam * beam + beam - 1
    for at in range(slot, last):
        score[node, at] = score[node, at + 1]
        back[node, at] = back[node, at + 1]
        changes[node, at] = changes[node, at + 1]
        words[node, at] = words[node, at + 1]
        told[node, at] = told[node, at + 1]
        state[node, at] = state[node, at + 1]
        spelled[node, at] = spelled[node, at + 1]
        for block in range(run.shape[2]):
            run[node, at, block] = run[node, at + 1, block]
    score[node, last] = -np.inf


@kernel
def search(
    lm: PackedNgrams,
    order: NDArray[np.int32],
    edge_begin: NDArray[np.int64],
    edge_head: NDArray[np.int32],
    edge_gain: NDArray[np.float64],
    edge_run: NDArray[np.uint64],
    joint_begin: NDArray[np.int64],
    joint_sentence: NDArray[np.int32],
    joint_run: NDArray[np.uint64],
    node_word: NDArray[np.int32],
    node_text: NDArray[np.int32],
    lm_weight: float,
    change_cost: float,
    indirect_cost: float,
    word_bonus: float,
    buckets: int,
    beam: int,
) -> tuple[
    NDArray[np.float64],
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.float64],
    NDArray[np.float64],
    NDArray[np.int32],
]:
    """The best ``beam`` paths to every node per number of source changes (last bucket: that many or more).

    order: the nodes in topological order; node 0 is the start, node 1 the end. edge_begin: the edges that leave a node.
    edge_gain: score of an edge (agreement). edge_run: uint64[e, blocks], the sentences that have the edge, as bits.
    A path changes source where no sentence has both its current run and the next edge. For edge e, ``joint_begin[e] …
    joint_begin[e + 1]`` hold the sentences of the node it leaves and, for each, the sentences of the edge whose word
    there fits. If none fits, the change costs ``indirect_cost`` more; with an infinite cost it is not allowed.
    node_text: a number for every distinct word. Of paths to a node with the same words (equal 64-bit hashes) only the
    best is kept.

    Returns score, back (node · slots + slot of the previous path, −1 for none), changes, words, the language model's
    log probability, that of the sentence end (−∞ if the path may not end), and whether ending changes the source,
    all [nodes, buckets · beam]; unused slots score −∞.
    """
    nodes = len(order)
    slots = buckets * beam
    blocks = edge_run.shape[1]
    score = np.full((nodes, slots), -np.inf)
    back = np.full((nodes, slots), -1, dtype=np.int32)
    changes = np.zeros((nodes, slots), dtype=np.int32)
    words = np.zeros((nodes, slots), dtype=np.int32)
    told = np.zeros((nodes, slots))
    ended = np.full((nodes, slots), -np.inf)
    end_change = np.zeros((nodes, slots), dtype=np.int32)
    state = np.zeros((nodes, slots), dtype=np.int64)
    run = np.zeros((nodes, slots, blocks), dtype=np.uint64)
    score[0, 0] = 0.0
    state[0, 0] = start_state(lm)
    spelled = np.zeros((nodes, slots), dtype=np.uint64)
    for block in range(blocks):
        run[0, 0, block] = ~np.uint64(0)
    both = np.zeros(blocks, dtype=np.uint64)
    for place in range(nodes):
        node = order[place]
        for slot in range(slots):
            if score[node, slot] == -np.inf:
                continue
            for edge in range(edge_begin[node], edge_begin[node + 1]):
                head = edge_head[edge]
                shared = False
                for block in range(blocks):
                    both[block] = run[node, slot, block] & edge_run[edge, block]
                    if both[block] != 0:
                        shared = True
                change = 0 if shared else 1
                cost = 0.0
                if not shared:
                    fitting = joint_begin[edge] == joint_begin[edge + 1]
                    for block in range(blocks):
                        both[block] = edge_run[edge, block] if fitting else np.uint64(0)
                    for joint in range(joint_begin[edge], joint_begin[edge + 1]):
                        sentence = joint_sentence[joint]
                        bit = np.uint64(1) << np.uint64(sentence & 63)
                        if run[node, slot, sentence >> 6] & bit:
                            for block in range(blocks):
                                both[block] |= joint_run[joint, block]
                                if both[block] != 0:
                                    fitting = True
                    if not fitting:
                        cost = indirect_cost
                        for block in range(blocks):
                            both[block] = edge_run[edge, block]
                if cost == np.inf:
                    continue
                if head == 1:
                    _, log_prob = advance(lm, state[node, slot], SENTENCE_END)
                    ended[node, slot] = log_prob
                    end_change[node, slot] = change
                    continue
                following, log_prob = advance(lm, state[node, slot], node_word[head])
                value = score[node, slot] + lm_weight * log_prob + edge_gain[edge] + word_bonus
                value -= change_cost * change + cost
                count = changes[node, slot] + change
                bucket = min(count, buckets - 1)
                last = bucket * beam + beam - 1
                if value <= score[head, last]:
                    continue
                hashed = (spelled[node, slot] + np.uint64(node_text[head] + 1)) * _PRIME
                hashed ^= hashed >> np.uint64(29)
                twin = -1
                for other in range(slots):
                    if spelled[head, other] == hashed and score[head, other] > -np.inf:
                        twin = other
                if twin >= 0:
                    if score[head, twin] >= value:
                        continue
                    _remove(head, twin, beam, score, back, changes, words, told, state, spelled, run)
                at = last
                while at > bucket * beam and score[head, at - 1] < value:
                    score[head, at] = score[head, at - 1]
                    back[head, at] = back[head, at - 1]
                    changes[head, at] = changes[head, at - 1]
                    words[head, at] = words[head, at - 1]
                    told[head, at] = told[head, at - 1]
                    state[head, at] = state[head, at - 1]
                    spelled[head, at] = spelled[head, at - 1]
                    for block in range(blocks):
                        run[head, at, block] = run[head, at - 1, block]
                    at -= 1
                score[head, at] = value
                back[head, at] = node * slots + slot
                changes[head, at] = count
                words[head, at] = words[node, slot] + 1
                told[head, at] = told[node, slot] + log_prob
                state[head, at] = following
                spelled[head, at] = hashed
                for block in range(blocks):
                    run[head, at, block] = both[block]
    return score, back, changes, words, told, ended, end_change
