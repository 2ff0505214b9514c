"""The language record of German."""

from __future__ import annotations

from paraphrast.text.languages.record import Language, ordered, words

_NEGATIONS = words("""
    nicht kein keine keinen keinem keiner keines nie niemals nichts niemand niemanden niemandem nirgends
    nirgendwo weder ohne kaum nein keinesfalls keineswegs selten
""")

_FUNCTION_WORDS = (
    words("""
    der die das den dem des ein eine einen einem einer eines dieser diese dieses diesen diesem jener jene
    jenes jenen jenem jeder jede jedes jeden jedem alle allen aller alles einige einigen einiger mehrere
    viele vielen vieler wenige manche solche solcher solches beide beiden derselbe dieselbe dasselbe
    derjenige diejenige ich mich mir mein meine meinen meinem meiner meines du dich dir dein deine er ihn
    ihm sein seine seinen seinem seiner seines sie ihr ihre ihren ihrem ihrer ihres es wir uns unser
    unsere unseren unserem unserer euch euer eure sich man wer wen wem wessen was welcher welche welches
    welchen welchem etwas jemand ab an auf aus außer bei beim bis durch für gegen gegenüber gemäß hinter
    im in ins mit nach neben ob seit statt trotz über um unter vom von vor während wegen wider zu zum zur
    zwischen am ans aufs anhand aufgrund bezüglich hinsichtlich innerhalb außerhalb mittels laut und oder
    aber denn sondern doch sowie sowohl als auch wenn weil da daß dass damit obwohl obgleich indem nachdem
    bevor ehe sobald solange falls wie wo wohin woher wann warum weshalb wobei wodurch womit wofür dabei
    dadurch dafür dagegen daher dahin damals dann daran darauf daraus darin darüber darum darunter davon
    davor dazu deshalb deswegen hier hierbei hierfür hierzu jedoch somit also so nun nur noch schon sehr
    mehr bin bist ist sind seid war waren wäre wären gewesen sei seien habe hast hat haben habt hatte
    hatten hätte hätten gehabt werde wirst wird werden werdet wurde wurden würde würden geworden worden
    kann kannst können konnte konnten könnte könnten muß muss müssen mußte musste mussten müßte müsste
    müssten soll sollen sollte sollten will wollen wollte wollten darf dürfen durfte dürfte dürften mag
    mögen möchte möchten lassen läßt lässt ja bitte wieder immer 's
""")
    | _NEGATIONS
)

_CARDINALS = ordered("""
    null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn
    sechzehn siebzehn achtzehn neunzehn zwanzig
""")

_NUMBER_WORDS = words("""
    null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn
    sechzehn siebzehn achtzehn neunzehn zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig
    hundert tausend million millionen milliarde milliarden billion billionen dutzend halb halbe hälfte
    drittel viertel erste ersten erster erstes zweite zweiten zweiter zweites dritte dritten dritter
    vierte vierten fünfte fünften sechste sechsten siebte achte neunte zehnte einmal zweimal dreimal
    doppelt
""")

GERMAN = Language(
    code="de",
    name="German",
    suffix_clitics=("'s",),
    titles=words("""
        hr dr prof dipl ing hrn st bzw z.b d.h u.a i.d.r vgl ca sog bspw evtl ggf inkl exkl mind z d u i o v
    """),
    abbreviations=words("usw etc o.ä u.ä ff str abs mio mrd jh jhd gmbh u.s.w"),
    numeric_abbreviations=words("nr nrn art abs s bd kap ziff §"),
    function_words=_FUNCTION_WORDS,
    negations=_NEGATIONS,
    number_words=_NUMBER_WORDS,
    cardinals=_CARDINALS,
    articles=words("der die das den dem des ein eine einen einem einer eines"),
    persons=(
        words("ich mich mir mein meine meinen meinem meiner meines"),
        words("wir uns unser unsere unseren unserem unserer unseres"),
        words("du dich dir dein deine deinen deinem deiner deines"),
        words("er ihn ihm sein seine seinen seinem seiner seines"),
        words("es"),
        words("ihr euch euer eure euren eurem eurer eures"),
    ),
    stemmer="german",
    stem_endings=("tet", "et", "te", "t"),
    stem_prefixes=("ge",),
    negative_prefixes=("un", "nicht"),
    months=(
        "Januar", "Jänner", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September",
        "Oktober", "November", "Dezember", "Jan\\.", "Feb\\.", "Aug\\.", "Sept\\.", "Okt\\.", "Nov\\.",
        "Dez\\.",
    ),
    magnitudes=(
        "Millionen", "Million", "Milliarden", "Milliarde", "Billionen", "Mio\\.?", "Mrd\\.?", "Tsd\\.?",
    ),
    date_patterns=(r"\d{1,2}\.\s?{month}(?:\s+\d{4})?", r"{month}\s+\d{4}"),
    time_patterns=(r"\d{1,2}[.:]\d{2}(?=\s+Uhr)",),
    space_groups=True,
    ordinal_dot=True,
    capital_nouns=True,
)  # fmt: skip
