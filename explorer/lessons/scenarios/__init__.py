"""Weeks in the life of a table, made from a seed: several writers with their habits, and what goes wrong among them.

Tests and training share it. To add an incident, add a function and its `Incident` to a module of `incidents/`.
"""

from __future__ import annotations

from .incident import Incident, Told
from .incidents import INCIDENTS, NOT_HERE
from .scenario import Scenario, Written

__all__ = ["INCIDENTS", "NOT_HERE", "Incident", "Scenario", "Told", "Written"]
