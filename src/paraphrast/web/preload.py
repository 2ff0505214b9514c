"""Imported by multiprocessing's fork server before it forks the first worker: loads the model once for all workers."""

from __future__ import annotations

from paraphrast.web.worker import preload

preload()
