"""Languages written without spaces between words: characters are tokens."""

from __future__ import annotations

from paraphrast.text.languages.record import Language, words

CHINESE = Language(
    code="zh", name="Chinese", segmented=False, negations=words("不 没 無 无 非 未 别 莫 勿"),
    number_words=words("零 一 二 三 四 五 六 七 八 九 十 百 千 万 亿 两"),
)  # fmt: skip
JAPANESE = Language(
    code="ja",
    name="Japanese",
    segmented=False,
    number_words=words("零 一 二 三 四 五 六 七 八 九 十 百 千 万 億"),
)
THAI = Language(code="th", name="Thai", segmented=False)
