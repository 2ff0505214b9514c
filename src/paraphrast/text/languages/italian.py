"""The language record of Italian."""

from __future__ import annotations

from paraphrast.text.languages.elision import italian
from paraphrast.text.languages.record import Language, ordered, words

_NEGATIONS = words("""
    non no mai niente nulla nessun nessuno nessuna né neanche nemmeno neppure senza mica
""")

_FUNCTION_WORDS = (
    words("""
    il lo la i gli le l' un uno una un' del dello della dell' dei degli delle al allo alla all' ai agli
    alle dal dallo dalla dall' dai dagli dalle nel nello nella nell' nei negli nelle sul sullo sulla sull'
    sui sugli sulle col coi questo questa questi queste quest' quello quella quelli quelle quell' quel
    quei quegli ciò ogni qualche alcuni alcune tutto tutta tutti tutte tutt' altro altra altri altre altr'
    stesso stessa stessi stesse tale tali molto molta molti molte poco pochi troppo entrambi mio mia miei
    mie tuo tua suo sua suoi sue nostro nostra nostri nostre vostro vostra vostri vostre loro io me mi m'
    tu te ti t' egli lui lei ella esso essa essi esse noi ci c' voi vi v' si s' se sé ne n' li chi che cui
    quale quali quanto quanti dove dov' quando come com' qualcuno qualcosa a ad con da d' di fra in per su
    tra sopra sotto dentro fuori verso contro durante dopo prima presso secondo tramite mediante oltre
    entro e ed o od ma però perché poiché anche anch' se mentre quindi dunque allora così ancora già più
    meno molto bene qui qua lì là essere sono sei è siamo siete era erano stato stata stati state sarà
    saranno sarebbe sarebbero sia siano fu furono essendo avere ho hai ha abbiamo avete hanno aveva
    avevano avuto avrà avranno avrebbe avrebbero abbia abbiano avendo può possono possiamo potrebbe
    potrebbero deve devono dobbiamo dovrebbe dovrebbero vuole vogliono vorrei va vanno fare fa fanno
""")
    | _NEGATIONS
)

_CARDINALS = ordered("""
    zero uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici
    quindici sedici diciassette diciotto diciannove venti
""")

_NUMBER_WORDS = words("""
    zero due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici
    sedici diciassette diciotto diciannove venti trenta quaranta cinquanta sessanta settanta ottanta
    novanta cento mille mila milione milioni miliardo miliardi dozzina mezzo mezza metà terzo quarto primo
    prima primi prime seconda terza quarta quinto quinta sesto settimo ottavo nono decimo doppio triplo
""")

ITALIAN = Language(
    code="it",
    name="Italian",
    prefix_clitics=(
        "l'", "un'", "dell'", "nell'", "all'", "dall'", "sull'", "coll'", "d'", "c'", "s'", "m'", "t'",
        "v'", "n'", "quest'", "quell'", "anch'", "bell'", "sant'", "gl'", "com'", "cos'", "dov'", "senz'",
        "tutt'", "nient'", "altr'", "quant'", "quand'", "cent'", "mezz'", "grand'", "qualcun'", "nessun'",
        "ciascun'", "degl'",
    ),
    unsplit=words("po' mo' be' va' fa' da' di' sta'"),
    titles=words("""
        sig sigg sig.ra sig.na dott dott.ssa dr prof prof.ssa on ing avv arch mons gen cfr p.es
    """),
    abbreviations=words("ecc etc s.p.a s.r.l"),
    numeric_abbreviations=words("art artt n nn pag pagg vol cap par"),
    function_words=_FUNCTION_WORDS,
    negations=_NEGATIONS,
    number_words=_NUMBER_WORDS,
    cardinals=_CARDINALS,
    articles=words("il lo la i gli le l' un uno una un'"),
    persons=(
        words("io me mi mio mia miei mie"),
        words("noi ci nostro nostra nostri nostre"),
        words("tu te ti tuo tua tuoi tue"),
        words("lui"),
        words("lei"),
        words("loro"),
        words("voi vi vostro vostra vostri vostre"),
    ),
    stemmer="italian",
    negative_prefixes=("in", "im", "il", "ir", "dis", "s"),
    months=(
        "gennaio", "febbraio", "marzo", "aprile", "maggio", "giugno", "luglio", "agosto", "settembre",
        "ottobre", "novembre", "dicembre",
    ),
    magnitudes=("milioni", "milione", "miliardi", "miliardo", "mila"),
    ordinal_suffixes=("º", "ª", "°"),
    date_patterns=(r"\d{1,2}[º°]?\s+{month}(?:\s+\d{4})?", r"{month}\s+\d{4}"),
    space_groups=True,
    elision=italian,
)  # fmt: skip
