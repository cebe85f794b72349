"""Which kinds of quasi-identifier a dialogue holds: each tells little, three together may tell who somebody is."""

from __future__ import annotations

from collections.abc import Iterable

from curation.errors import N_
from curation.identifiers.finding import Finding
from curation.identifiers.kinds import ADDRESS, BIRTHDATE, ORG, PERSON
from curation.identifiers.patterns import lazy

KIND_WORDS = {
    "name": N_("a name"),
    "address": N_("an address"),
    "birthday": N_("a birthday"),
    "school": N_("a school"),
    "hospital": N_("a hospital"),
    "employer": N_("an employer"),
}
# So many kinds in one dialogue ask for a second look.
SECOND_LOOK = 3

_SCHOOL = lazy(r"学|校|幼儿园|[一二三四五六七八九十]中|[师医]专|职院|师院|附[中小]|學")
_HOSPITAL = lazy(r"医院|醫院|诊所|卫生院|[一二三四五六七八九十]院|口腔|齿科")


def quasi_kinds(findings: Iterable[Finding]) -> frozenset[str]:
    """The kinds among `findings`: name, address, birthday, school, hospital, employer.

    An organisation that is neither a school nor a hospital counts as an employer.
    """
    kinds = set()
    for one in findings:
        if one.type == PERSON:
            kinds.add("name")
        elif one.type == ADDRESS:
            kinds.add("address")
        elif one.type == BIRTHDATE:
            kinds.add("birthday")
        elif one.type == ORG:
            kinds.add(
                "hospital" if _HOSPITAL.search(one.text) else "school" if _SCHOOL.search(one.text) else "employer"
            )
    return frozenset(kinds)
