"""Every built-in against the official chat template of its family: each probe renders the same bytes."""

from __future__ import annotations

import pytest

from tests.conformance.compare import GOOD, families, outcome
from tests.conformance.oracle import OFFICIAL
from tests.conformance.probes import KINDS, probes

pytestmark = [
    pytest.mark.conformance,
    pytest.mark.skipif(not OFFICIAL.is_dir(), reason="the measuring data is not here"),
]
PAIRS = list(families()) if OFFICIAL.is_dir() else []

# Probes on which a family is known to differ, with the reason; the published table counts them.
KNOWN: dict[str, set[str]] = {}


def test_there_are_enough_probes_and_families() -> None:
    assert len(probes()) >= 40
    assert {probe.kind for probe in probes()} == set(KINDS)
    assert len({probe.name for probe in probes()}) == len(probes())
    assert len({slug for _, slug in PAIRS}) >= 60


@pytest.mark.parametrize(("file", "slug"), PAIRS)
def test_it_renders_what_the_official_template_renders(file: str, slug: str) -> None:
    outcomes = {probe.name: outcome(slug, file, probe) for probe in probes()}
    differing = {name for name, found in outcomes.items() if found.verdict not in GOOD}
    assert differing == KNOWN.get(file, set()), [outcomes[name] for name in sorted(differing)][:1]
