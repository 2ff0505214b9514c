"""The language record of French."""

from __future__ import annotations

from paraphrast.text.languages.elision import french
from paraphrast.text.languages.record import Language, ordered, words

_NEGATIONS = words("""
    ne n' pas non jamais rien aucun aucune aucuns aucunes ni nul nulle guère sans
    nullement nulle-part rarement
""")

_FUNCTION_WORDS = (
    words("""
    le la les l' un une des du de d' au aux ce cet cette ces c' mon ma mes ton ta tes son sa ses notre nos
    votre vos leur leurs quel quelle quels quelles tout toute tous toutes chaque plusieurs quelque
    quelques certain certaine certains certaines tel telle tels telles même mêmes autre autres je j' me m'
    moi tu te t' toi il elle on nous vous ils elles se s' soi lui eux y en ceci cela ça celui celle ceux
    celles celui-ci celle-ci ceux-ci celles-ci celui-là qui que qu' quoi dont où lequel laquelle lesquels
    lesquelles duquel auquel quiconque quelqu'un quelqu'une quelques-uns chacun chacune -il -elle -ils
    -elles -on -je -nous -vous -ce -t-il -t-elle -t-on -t-ils -t-elles -tu -moi -toi -le
    -les -lui -leur plus personne à après avant avec chez contre
    dans depuis derrière dès devant durant entre envers hors jusque jusqu' jusqu'à malgré outre par parmi
    pendant pour sauf selon sous sur vers via voici voilà concernant et ou mais donc or car si comme
    lorsque lorsqu' puisque puisqu' quand quoique quoiqu' parce afin ainsi aussi alors ensuite puis
    cependant toutefois pourtant très trop peu moins assez bien encore déjà toujours ici là être suis es
    est sommes êtes sont était étaient étais étions été sera seront serait seraient soit soient fut furent
    étant avoir ai as a avons avez ont avait avaient avais avions eu aura auront aurait auraient ait aient
    ayant faire fait font peut peuvent pouvez pouvons pouvait pourrait pourraient doit doivent devons
    devez devrait devraient veut veulent voulons va vont allons allez
""")
    | _NEGATIONS
)

_CARDINALS = ordered("""
    zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize
""")

_NUMBER_WORDS = words("""
    zéro deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept
    dix-huit dix-neuf vingt trente quarante cinquante soixante soixante-dix quatre-vingt quatre-vingts
    quatre-vingt-dix cent cents mille million millions milliard milliards douzaine dizaine centaine
    millier milliers demi demie moitié tiers quart premier première premiers premières deuxième second
    seconde troisième quatrième cinquième sixième septième huitième neuvième dixième double triple
""")

FRENCH = Language(
    code="fr",
    name="French",
    suffix_clitics=(
        "-t-ils", "-t-elles", "-t-il", "-t-elle", "-t-on", "-ils", "-elles", "-il", "-elle", "-on", "-je",
        "-tu", "-nous", "-vous", "-ce", "-moi", "-toi", "-le", "-les", "-lui", "-leur",
    ),
    prefix_clitics=(
        "l'", "d'", "j'", "n'", "s'", "c'", "m'", "t'", "qu'", "jusqu'", "lorsqu'", "puisqu'", "quoiqu'",
    ),
    unsplit=words("""
        aujourd'hui quelqu'un quelqu'une presqu'île prud'homme prud'hommes prud'homal entr'acte
        main-d'œuvre main-d'oeuvre rendez-vous hors-d'œuvre chef-d'œuvre chefs-d'œuvre c'est-à-dire
        vis-à-vis
    """),
    titles=words("m mm mme mmes mlle mlles dr pr st ste mgr cf p.ex av bd env"),
    abbreviations=words("etc art al éd vol chap"),
    numeric_abbreviations=words("art no n p pp vol chap fig al"),
    function_words=_FUNCTION_WORDS,
    negations=_NEGATIONS,
    number_words=_NUMBER_WORDS,
    cardinals=_CARDINALS,
    articles=words("le la les l' un une des du"),
    persons=(
        words("je j' me m' moi mon ma mes mien mienne"),
        words("nous notre nos"),
        words("tu te t' toi ton ta tes"),
        words("vous votre vos"),
        words("il lui"),
        words("elle"),
        words("ils eux"),
        words("elles"),
    ),
    stemmer="french",
    negative_prefixes=("in", "im", "il", "ir", "non-", "mal", "dés"),
    months=(
        "janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre",
        "novembre", "décembre", "janv\\.", "févr\\.", "juill\\.", "sept\\.", "oct\\.", "nov\\.", "déc\\.",
    ),
    magnitudes=("millions", "million", "milliards", "milliard"),
    ordinal_suffixes=("er", "ère", "re", "ème", "eme", "e", "nd", "nde"),
    date_patterns=(r"\d{1,2}(?:er)?\s+{month}(?:\s+\d{4})?", r"{month}\s+\d{4}"),
    time_patterns=(r"\d{1,2}\s?h(?:\s?\d{2})?",),
    space_groups=True,
    elision=french,
    space_before_marks=";:!?",
)  # fmt: skip
