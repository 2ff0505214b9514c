"""What a training run will cost, estimated from measured constants before anything runs."""

from paraphrast.training.plan.estimate import Plan, StagePlan, plan_training
from paraphrast.training.plan.report import plan_text

__all__ = ["Plan", "StagePlan", "plan_text", "plan_training"]
