from __future__ import annotations

import pytest

from paraphrast.build.encoders import encoder_names, missing_for_encoder, require_encoder
from paraphrast.errors import MissingExtra


@pytest.mark.parametrize("installed", [True, False])
def test_encoders_by_language(monkeypatch: pytest.MonkeyPatch, installed: bool) -> None:
    monkeypatch.setattr("paraphrast._extras.is_installed", lambda package: installed)
    assert encoder_names("en-GB") == (("minilm-en",) if installed else ())
    assert encoder_names("de") == ()
    assert missing_for_encoder("de") is None
    remedy = missing_for_encoder("en")
    if installed:
        assert remedy is None
        require_encoder("minilm-en")
    else:
        assert remedy == "pip install 'paraphrast[precise]' && paraphrast data get minilm-en"
        with pytest.raises(MissingExtra) as caught:
            require_encoder("minilm-en")
        assert str(caught.value).endswith(remedy)
