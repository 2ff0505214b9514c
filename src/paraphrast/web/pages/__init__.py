"""The pages, one module each. Every page works without scripts; scripts only save loading the whole page anew."""

from __future__ import annotations

from fastapi import APIRouter

from paraphrast.web.pages import others, pairs, rewrite

router = APIRouter(include_in_schema=False)
for module in (rewrite, pairs, others):
    router.include_router(module.router)
