"""English inflections that no stemmer unifies: form → first form of its group."""

from __future__ import annotations

_GROUPS = """
be am is are was were been being 're 'm; have has had having 've; do does did done doing; a an; go goes
went gone going; say said; make made; get got gotten; take took taken; come came; see saw seen; know knew
known; give gave given; find found; think thought; tell told; become became; leave left; feel felt; bring
brought; begin began begun; keep kept; hold held; write wrote written; stand stood; hear heard; mean
meant; meet met; run ran; pay paid; sit sat; speak spoke spoken; lie lain; lead led; grow grew grown; lose
lost; fall fell fallen; send sent; build built; understand understood; draw drew drawn; break broke
broken; spend spent; rise rose risen; drive drove driven; buy bought; wear wore worn; choose chose chosen;
seek sought; throw threw thrown; catch caught; deal dealt; win won; forget forgot forgotten; lay laid;
sell sold; fight fought; teach taught; eat ate eaten; sing sang sung; strike struck; hang hung; shake
shook shaken; ride rode ridden; feed fed; shoot shot; drink drank drunk; hide hid hidden; fly flew flown;
undertake undertook undertaken; arise arose arisen; overcome overcame; withdraw withdrew withdrawn;
forgive forgave forgiven; freeze froze frozen; steal stole stolen; swear swore sworn; tear tore torn; wake
woke woken; weave wove woven; swim swam swum; sink sank sunk; shrink shrank shrunk; ring rang rung; bind
bound; wind wound; grind ground; sleep slept; sweep swept; weep wept; creep crept; bend bent; lend lent;
bleed bled; breed bred; flee fled; slide slid; stick stuck; swing swung; dig dug; spin spun; cling clung;
shine shone; bear bore borne; man men; woman women; child children; foot feet; tooth teeth; mouse mice;
goose geese; this these; that those
"""


def _forms(text: str) -> dict[str, str]:
    forms: dict[str, str] = {}
    for group in text.split(";"):
        first, *others = group.split()
        for other in others:
            forms.setdefault(other, first)
    return forms


#: Form → first form of its group.
IRREGULAR: dict[str, str] = _forms(_GROUPS)
