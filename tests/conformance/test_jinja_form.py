"""Every official template in Jinja form: a format that carries it prints what transformers prints.

A template is tried on a third of the probes, another third for the next one; `python -m tests.conformance.jinja_form`
tries all of them on all. Texts of official templates stay in the measuring data.
"""

from __future__ import annotations

import pytest

from tests.conformance.compare import GOOD
from tests.conformance.jinja_form import distinct_files, outcomes
from tests.conformance.oracle import OFFICIAL

SHARE = 3

pytestmark = [
    pytest.mark.conformance,
    pytest.mark.skipif(not OFFICIAL.is_dir(), reason="no measuring data in ../shared"),
]


@pytest.mark.parametrize("part", range(SHARE))
def test_jinja_form_prints_what_the_official_template_prints(part: int) -> None:
    wrong = [
        (file, name, outcome.verdict)
        for number, file in enumerate(distinct_files()[part::SHARE])
        for name, outcome in outcomes(file, start=number % SHARE, step=SHARE)
        if outcome.verdict not in GOOD
    ]
    assert wrong == []
