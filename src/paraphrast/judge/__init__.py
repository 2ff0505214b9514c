"""Campaigns of human ratings: outputs blinded, questions asked, agreement measured."""

from paraphrast.judge.agreement import Agreement, PairAgreement, measure_agreement
from paraphrast.judge.campaign import Campaign, CampaignOptions, new_campaign
from paraphrast.judge.prompt import Session, rate
from paraphrast.judge.report import agreements, check_ratings, disagreements, labelled, pending, settle
from paraphrast.judge.templates import TEMPLATES, Question, Template, get_template

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
