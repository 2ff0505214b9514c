"""Quality of a pair, judged without a sentence."""
