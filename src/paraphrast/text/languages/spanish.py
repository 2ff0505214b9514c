"""The language record of Spanish."""

from __future__ import annotations

from paraphrast.text.languages.elision import spanish
from paraphrast.text.languages.record import Language, ordered, words

_NEGATIONS = words("""
    no nunca jamás nada nadie ningún ninguno ninguna ningunos ningunas ni tampoco sin apenas
""")

_FUNCTION_WORDS = (
    words("""
    el la los las lo un una unos unas al del este esta estos estas ese esa esos esas aquel aquella
    aquellos aquellas esto eso aquello mi mis tu tus su sus nuestro nuestra nuestros nuestras vuestro
    vuestra vuestros vuestras suyo suya cada todo toda todos todas algún alguno alguna algunos algunas
    varios varias otro otra otros otras mismo misma mismos mismas tal tales mucho mucha muchos muchas poco
    poca pocos pocas ambos ambas yo me mí conmigo tú te ti contigo él ella ello ellos ellas usted ustedes
    nosotros nosotras vosotros vosotras nos os se sí le les quien quienes que qué cual cuales cuál cuyo
    cuya cuyos cuyas donde dónde cuando cuándo como cómo cuanto cuánto alguien algo a ante bajo con contra
    de desde durante en entre hacia hasta mediante para por según sobre tras excepto salvo y e o u pero
    sino aunque si porque pues mientras luego así también además entonces ya aún todavía muy más menos tan
    tanto bien aquí ahí allí ser soy eres es somos sois son era eran éramos fue fueron sido siendo será
    serán sería serían sea sean fuera estar estoy está estamos están estaba estaban estado esté estén
    haber he has ha hemos habéis han había habían hubo habrá habrán habría habrían haya hayan hay hubiera
    tener tengo tiene tenemos tienen tenía puede pueden podemos podría podrían debe deben debemos debería
    deberían va van vamos hacer hace hacen
""")
    | _NEGATIONS
)

_CARDINALS = ordered("""
    cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis
    diecisiete dieciocho diecinueve veinte
""")

_NUMBER_WORDS = words("""
    cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis
    diecisiete dieciocho diecinueve veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa cien
    ciento cientos doscientos trescientos quinientos mil miles millón millones billón billones docena
    medio media mitad tercio cuarto primer primero primera primeros primeras segundo segunda tercer
    tercero tercera cuarta quinto quinta sexto sexta séptimo octavo noveno décimo doble triple
""")

SPANISH = Language(
    code="es",
    name="Spanish",
    titles=words("sr sra sres sras srta dr dra d dña prof ud uds vd vds gral lic ing p.ej cf"),
    abbreviations=words("etc ee.uu s.a av avda"),
    numeric_abbreviations=words("art arts núm núms pág págs no vol cap"),
    function_words=_FUNCTION_WORDS,
    negations=_NEGATIONS,
    number_words=_NUMBER_WORDS,
    cardinals=_CARDINALS,
    articles=words("el la los las lo un una unos unas"),
    persons=(
        words("yo me mí mi mis mío mía"),
        words("nosotros nosotras nos nuestro nuestra nuestros nuestras"),
        words("tú te ti tu tus"),
        words("él"),
        words("ella"),
        words("ellos"),
        words("ellas"),
        words("vosotros vosotras os vuestro vuestra"),
    ),
    stemmer="spanish",
    negative_prefixes=("in", "im", "i", "des"),
    months=(
        "enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre",
        "setiembre", "octubre", "noviembre", "diciembre",
    ),
    magnitudes=("millones", "millón", "mil"),
    ordinal_suffixes=("º", "ª", "°", "er", "ro", "ra"),
    date_patterns=(r"\d{1,2}\s+de\s+{month}(?:\s+(?:de|del)\s+\d{4})?", r"{month}\s+(?:de\s+|del\s+)?\d{4}"),
    space_groups=True,
    elision=spanish,
)  # fmt: skip
