"""The sections of the format form, in the order of the page."""

from __future__ import annotations

from formats.web.field import Section
from formats.web.sections.about import ABOUT
from formats.web.sections.families import REASONING, SKILLS, TOOLS, VISION
from formats.web.sections.policies import POLICIES
from formats.web.sections.roles import FRAME, ROLES, STOPS
from formats.web.sections.tests import TESTS

SECTIONS: tuple[Section, ...] = (ROLES, FRAME, STOPS, TOOLS, SKILLS, VISION, REASONING, POLICIES, TESTS, ABOUT)
