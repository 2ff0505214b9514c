"""The language record of English."""

from __future__ import annotations

from paraphrast.text.languages.elision import english
from paraphrast.text.languages.english_irregular import IRREGULAR
from paraphrast.text.languages.record import Language, Place, ordered, words

_NEGATIONS = words("""
    not n't no never nor neither none nobody nothing nowhere without hardly scarcely barely rarely seldom
    cannot nay lest unless
""")

_FUNCTION_WORDS = (
    words("""
    a an the this that these those some any each every either both all half such another other others i me
    my mine myself you your yours yourself yourselves he him his himself she her hers herself it its
    itself we us our ours ourselves they them their theirs themselves one's oneself who whom whose which
    what whoever whatever whichever someone somebody something anyone anybody anything everyone everybody
    everything about above across after against along alongside amid among amongst around as at before
    behind below beneath beside besides between beyond by concerning despite down during except for from
    in inside into like near of off on onto out outside over past per regarding since than through
    throughout till to toward towards under underneath until unto up upon via versus with within and but
    or so yet if because although though while whereas whether when whenever where wherever why how once
    be am is are was were been being have has had having do does did doing done will would shall should
    may might must can could ought need dare used let 's 're 've 'll 'd 'm 'em ca wo sha there here then
    thus hence therefore however too very also just only even still already again rather quite much many
    more most few fewer fewest less least little several enough own same else ever now yes please oh
""")
    | _NEGATIONS
)

_CARDINALS = ordered("""
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    sixteen seventeen eighteen nineteen twenty
""")

_NUMBER_WORDS = words("""
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred hundreds
    thousand thousands million millions billion billions trillion trillions dozen dozens half
    quarter third thirds first second fourth fifth sixth seventh eighth ninth tenth eleventh twelfth
    thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth thirtieth
    fortieth fiftieth sixtieth seventieth eightieth ninetieth hundredth thousandth millionth once twice
    thrice double triple
""")

_ORDINAL = "(?:st|nd|rd|th)?"

#: British endings, and single words, with the American ones that stand for both.
_SPELLINGS = ordered("""
    isations/izations isation/ization ising/izing ised/ized ises/izes iser/izer ise/ize ysing/yzing ysed/yzed
    yse/yze ouring/oring oured/ored ourable/orable ourful/orful ours/ors our/or tres/ters tre/ter logues/logs
    logue/log fences/fenses fence/fense icences/icenses icence/icense lled/led lling/ling llers/lers ller/ler
    grammes/grams gramme/gram advisers/advisors adviser/advisor towards/toward afterwards/afterward grey/gray
    whilst/while amongst/among judgement/judgment tyre/tire cheque/check
""")

#: Words after which a question has the auxiliary before its subject, unlike "who" and "which".
_QUESTION_WORDS = words("why how where when")
_NEGATED = ordered("do does did is are was were has have had would could should")
#: Verbs of speaking; in ", said the official", nothing depends on them.
_SAYING = ordered("said says say added adds stated states explained announced reported noted warned")
_SUBJECTS = ordered("i you he she it we they one anyone anybody someone")
#: Words after which "if" begins an indirect question.
_ASKING = words("""
    ask asks asked asking know knows knew wonder wonders wondered wondering see check determine decide say tell sure
    unclear clear find out doubt doubts doubted question consider considering unsure discover matter remember understand
""")
#: What begins a clause, as after "claimed": not "claimed responsibility".
_CLAUSES = words("that there this these those the a an") | frozenset(_SUBJECTS)
_NOWHERE = Place(only_before=frozenset())
#: Words that do not say the same, though tables have them for each other.
_NOT_THE_SAME = {
    "could": ("can",),
    "would": ("might", "could"),
    "might": ("may",),
    "can't": ("couldn't",),
    "that": ("so",),
    "some": ("a few",),
    "anything": ("something",),
    "anyone": ("someone",),
    "anybody": ("somebody",),
}
_PLACES = {
    ("what", "which"): Place(
        not_before=_FUNCTION_WORDS
        | words("makes made causes caused happens happened comes came means exactly"),
    ),
    ("which", "what"): Place(first=True),
    **{(f"{verb}n't", f"{verb} not"): Place(not_after=_QUESTION_WORDS) for verb in _NEGATED},
    ("will", "would"): Place(first=True),
    ("should", "ought to"): Place(
        not_before=frozenset(_SUBJECTS), not_after=_QUESTION_WORDS | words("what which whom"), inside=True
    ),
    **{(f"should {one}", f"ought {one} to"): _NOWHERE for one in _SUBJECTS},
    **{
        ("very", adverb): Place(not_before=words("much many few little well"))
        for adverb in ordered("really extremely highly")
    },
    ("if", "whether"): Place(only_after=_ASKING),
    ("whether", "if"): Place(not_before=words("to or not")),
    ("that", "this"): Place(not_before=words("of which who whom whose")),
    ("those", "these"): Place(not_before=words("of which who whom whose")),
    # "could" for "can" is polite in a question; elsewhere one modal for another says something else.
    ("can", "could"): Place(only_after=_QUESTION_WORDS | words("what which who") | frozenset([""])),
    **{(old, new): _NOWHERE for old, others in _NOT_THE_SAME.items() for new in others},
    ("may", "might"): Place(not_after=words("what")),
    **{
        (one, other): Place(only_before=words("to"))
        for one, other in (("has", "needs"), ("have", "need"), ("had", "needed"))
    },
    ("about", "of"): Place(
        only_after=words("think thinks thinking thought talk hear heard know knew dream speak")
    ),
    ("percent", "per cent"): Place(once=True),
    ("per cent", "percent"): Place(once=True),
    **{
        pair: Place(only_before=words("that in") | frozenset([""]))
        for pair in (("said", "stated"), ("says", "states"), ("say", "state"), ("saying", "stating"))
    },
    ("here", "both here"): _NOWHERE,
    **{
        pair: _NOWHERE
        for one, other in (("i", "me"), ("he", "him"), ("she", "her"), ("we", "us"), ("they", "them"))
        for pair in ((one, other), (other, one))
    },
    **{
        (f"claim{ending}", verb): Place(only_before=_CLAUSES)
        for ending, verbs in (
            ("", "state say"),
            ("s", "states says"),
            ("ed", "stated said"),
            ("ing", "stating saying"),
        )
        for verb in ordered(verbs)
    },
    **{(verb, f"{verb} that"): Place(after_mark=False) for verb in _SAYING},
    ("happen", "occur"): Place(not_before=words("to with")),
    **{
        (f"can {one}", after): Place(first=True)
        for one, other in (("i", "me"), ("we", "us"), ("you", "you"), ("one", "one"))
        for after in ("is it possible to", f"is it possible for {other} to", f"am {one} able to")
    },
    **{
        (f"how long {verb}", f"for how long {verb}"): Place(not_before=words("it"))
        for verb in ordered("do does did will would should")
    },
}

_MUTUAL = ("each other", "one another", *ordered("mutual mutually together reciprocal themselves ourselves"))
_PROBABLE = ordered("perhaps maybe possibly potentially may might could can")
#: "only" and the like, each with what says the same.
_KEPT = {
    "only": (*ordered("just solely sole merely alone simply exclusively purely but except until"), "no more than"),
    "even": (),
    "ever": (*ordered("never always before previously"), "all time", "in history"),
    "already": (*ordered("previously before"), "by now"),
    "each other": _MUTUAL,
    "one another": _MUTUAL,
    "always": (*ordered("constantly invariably forever ever consistently"), "all the time", "every time"),
    "no longer": (*ordered("anymore ceased stopped"), "any longer", "any more"),
    "almost": (*ordered("nearly virtually practically"), "close to", "just about", "all but"),
    "nearly": (*ordered("almost virtually practically"), "close to", "just about", "all but"),
    "that of": ("those of",),
    "at least": (*ordered("minimum"), "no less than", "no fewer than", "not less than"),
    "more than": (*ordered("over above exceeding exceed exceeds exceeded beyond"), "in excess of", "upwards of"),
    "less than": (*ordered("under below"), "fewer than", "not even"),
    **dict.fromkeys(ordered("perhaps maybe possibly"), _PROBABLE),
    "probably": ordered("likely presumably"),
}  # fmt: skip

ENGLISH = Language(
    code="en",
    name="English",
    suffix_clitics=("n't", "'s", "'re", "'ve", "'ll", "'d", "'m"),
    unsplit=words("'tis 'twas 'em 'cause 'til 'n' ma'am o'clock"),
    clitic_hosts={"ca": "can", "wo": "will", "sha": "shall"},
    perfect_auxiliaries=words("has had have"),
    perfect_followers=words("gone come become not never always already just also only since"),
    participle_endings=("ed", "en", "own"),
    unlike_participles=("eed",),
    clitic_places={
        "n't": words("is are was were do does did has have had would could should must need"),
        "'m": words("i"),
        "'re": words("you we they there who what these those"),
        "'d": words("i you he she it we they who there that"),
        "'ll": words("i you he she it we they who there that this what"),
        "'ve": words("i you we they who would could should might must"),
        "'s": words(
            "he she it that there here who what where when how why everyone someone everybody somebody nobody anybody "
            "everything something nothing"
        ),
    },
    contracted={
        "am": "'m", "are": "'re", "is": "'s", "has": "'s",
        "have": "'ve", "had": "'d", "would": "'d", "will": "'ll",
    },
    modals={
        **{word: word for word in ordered("can could would should shall must will may")},
        "might": "may",
    },
    tense_auxiliaries=words("am is are was were been being have has had did will"),
    full_forms={"'m": "am", "'re": "are", "'ve": "have", "'ll": "will", "n't": "not"},
    question_infinitives=frozenset({("how", "to"), ("where", "to"), ("what", "to")}),
    droppable=words("that then just very quite really actually please"),
    places=_PLACES,
    unwritten=words("which's this's how'd why'd where'd when'd what'd this's these're those're why'll how'll when'll"),
    verb_subjects={"am": words("i")},
    singular_verbs=words("is was has does isn't wasn't hasn't doesn't"),
    joining=words("and"),
    unadded={
        "both": words("two each either and"),
        "then": words("afterwards next subsequently later so therefore after when if thus thereafter"),
        "ever": words("never always before yet once"),
        "even": words("although though if while still"),
        "only": words("just solely sole merely alone simply exclusively but nothing except until"),
    },
    demonstratives=words("this that these those"),
    contrasts=(
        *ordered("but however although though nevertheless nonetheless notwithstanding whereas despite conversely"),
        *("on the other hand", "in spite of", "on the contrary", "even so", "by contrast", "in contrast"),
    ),
    may_contrast=ordered("yet while whilst still instead rather unlike even except"),
    kept=_KEPT,
    titles=words("""
        mr mrs ms messrs mmes dr drs prof rev revd hon gen col maj capt cmdr lt sgt sr jr st ste gov sen
        rep pres supt insp fr msgr amb atty dept vs cf e.g i.e eg ie viz mt ft approx est
    """),
    abbreviations=words("""
        etc inc ltd corp co bros plc llc dept univ assn ave blvd jan feb apr jul aug sept oct nov dec tues
        thurs u.s u.k u.n a.m p.m ibid ph.d m.a b.a b.sc m.sc esq
    """),
    numeric_abbreviations=words("no nos art arts p pp vol vols fig figs sec ch para paras eq"),
    function_words=_FUNCTION_WORDS,
    negations=_NEGATIONS,
    number_words=_NUMBER_WORDS,
    cardinals=_CARDINALS,
    quantity_words=words("more most much many few fewer fewest less least little several enough half all both"),
    articles=words("a an the"),
    persons=(
        words("i me my mine myself"),
        words("we us our ours ourselves"),
        words("you your yours yourself yourselves"),
        words("he him his himself"),
        words("she her hers herself"),
        words("it its itself"),
        words("they them their theirs themselves"),
    ),
    same_kind=(
        words("man guy gentleman male"),
        words("men guys gentlemen males"),
        words("woman lady female"),
        words("women ladies females"),
        words("child kid toddler"),
        words("children kids toddlers"),
        words("people persons individuals"),
        words("bicyclist cyclist biker"),
    ),
    collectives=words("group crowd bunch"),
    copulas=("is", "are"),
    clothing=words("wearing dressed clad"),
    intransitives={"laying": "lying", "lays": "lies"},
    exclusive=(
        words("second minute hour day week month year decade century"),
        words("inch foot yard mile metre kilometre centimetre"),
        words("gram kilogram ounce pound tonne"),
        words("north south east west"),
        words("northern southern eastern western"),
        words("spring summer autumn winter"),
        words("gold silver bronze copper iron tin"),
        words("black white red blue green yellow brown grey pink purple"),
        words("father mother brother sister son daughter husband wife uncle aunt nephew niece"),
        words("boy girl"),
        words("king queen"),
        words("older younger"),
        words("yesterday today tomorrow"),
    ),
    spellings=tuple((one, two) for one, _, two in (pair.partition("/") for pair in _SPELLINGS)),
    stemmer="english",
    irregular=IRREGULAR,
    opposite_endings=(("less", "ful"),),
    negative_prefixes=("un", "in", "im", "il", "ir", "dis", "non", "non-"),
    indefinite_varies=True,
    months=(
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
        "November", "December", "Jan\\.?", "Feb\\.?", "Mar\\.", "Apr\\.?", "Jun\\.?", "Jul\\.?",
        "Aug\\.?", "Sept\\.?", "Sep\\.?", "Oct\\.?", "Nov\\.?", "Dec\\.?",
    ),
    magnitudes=("million", "billion", "trillion", "thousand", "bn", "mn", "m", "k"),
    ordinal_suffixes=("st", "nd", "rd", "th"),
    date_patterns=(
        rf"\d{{1,2}}{_ORDINAL}(?:\s+of)?\s+{{month}}(?:,?\s+\d{{4}})?",
        rf"{{month}}\s+\d{{1,2}}{_ORDINAL}(?:,?\s+\d{{4}})?",
        r"{month},?\s+\d{4}",
    ),
    space_groups=True,
    time_patterns=(r"\d{1,2}(?:[:.]\d{2})?\s?(?:[ap]\.m\.|[ap]m|[AP]\.M\.|[AP]M)",),
    elision=english,
)  # fmt: skip
