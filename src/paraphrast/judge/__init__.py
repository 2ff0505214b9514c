"""Campaigns of human ratings: blind outputs, ask questions, measure agreement."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paraphrast._lazy import resolve_lazily

if TYPE_CHECKING:
    from paraphrast.judge.agreement import Agreement, PairAgreement, measure_agreement
    from paraphrast.judge.campaign import Campaign, new_campaign
    from paraphrast.judge.options import CampaignOptions
    from paraphrast.judge.prompt import Session, rate
    from paraphrast.judge.questions import Question, Template
    from paraphrast.judge.report import agreements, check_ratings, disagreements, labelled, pending, settle
    from paraphrast.judge.templates import TEMPLATES, get_template

__all__ = [
    "TEMPLATES",
    "Agreement",
    "Campaign",
    "CampaignOptions",
    "PairAgreement",
    "Question",
    "Session",
    "Template",
    "agreements",
    "check_ratings",
    "disagreements",
    "get_template",
    "labelled",
    "measure_agreement",
    "new_campaign",
    "pending",
    "rate",
    "settle",
]

resolve_lazily(
    __name__,
    {
        "Agreement": "agreement",
        "Campaign": "campaign",
        "CampaignOptions": "options",
        "PairAgreement": "agreement",
        "Question": "questions",
        "Session": "prompt",
        "TEMPLATES": "templates",
        "Template": "questions",
        "agreements": "report",
        "check_ratings": "report",
        "disagreements": "report",
        "get_template": "templates",
        "labelled": "report",
        "measure_agreement": "agreement",
        "new_campaign": "campaign",
        "pending": "report",
        "rate": "prompt",
        "settle": "report",
    },
)
