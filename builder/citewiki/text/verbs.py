"""Irregular English verbs: forms that no stemming brings together."""

from __future__ import annotations

from citewiki.text.tokens import stem

_VERBS = """
    arise arose arisen|awake awoke awoken|bear bore born borne|beat beaten|become became|begin began
    begun|bend bent|bind bound|bite bit bitten|bleed bled|blow blew blown|break broke broken|breed
    bred|bring brought|build built|burn burnt|buy bought|catch caught|choose chose chosen|come came
    |deal dealt|dig dug|draw drew drawn|drink drank drunk|drive drove driven|eat ate eaten|fall fell
    fallen|feed fed|feel felt|fight fought|find found|fly flew flown|forbid forbade forbidden|forget
    forgot forgotten|forgive forgave forgiven|freeze froze frozen|get got gotten|give gave given|go
    went gone|grow grew grown|hang hung|hear heard|hide hid hidden|hold held|keep kept|know knew
    known|lay laid|lead led|leave left|lend lent|lose lost|make made|mean meant|meet met|pay paid
    |ride rode ridden|ring rang rung|rise rose risen|run ran|say said|see saw seen|seek sought|sell
    sold|send sent|shake shook shaken|shine shone|shoot shot|show shown|shrink shrank shrunk|sing
    sang sung|sink sank sunk|sit sat|sleep slept|slide slid|speak spoke spoken|spend spent|spin spun
    |stand stood|steal stole stolen|stick stuck|strike struck stricken|swear swore sworn|swim swam
    swum|take took taken|teach taught|tear tore torn|tell told|think thought|throw threw thrown
    |understand understood|wake woke woken|wear wore worn|weave wove woven|win won|wind wound
    |withdraw withdrew withdrawn|write wrote written
"""
_FORMS = [frozenset(map(stem, row.split())) for row in _VERBS.split("|")]
_OTHERS = {form: forms for forms in _FORMS for form in forms}
BASES = {form: stem(base) for base, *forms in map(str.split, _VERBS.split("|")) for form in forms}
"""Irregular forms as written → the stem of their verb."""


def verb_forms(term: str) -> frozenset[str]:
    """The terms of all forms of an irregular verb that `term` is one of; else the term alone.

    >>> sorted(verb_forms("sung"))
    ['sang', 'sing', 'sung']
    """
    return _OTHERS.get(term, frozenset((term,)))
