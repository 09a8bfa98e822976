import random

from taskweaver.plugin import register_plugin, test_plugin

JOKES = {
    "en": [
        "There are 10 kinds of people: those who read binary and those who don't.",
        "A query walks into a bar, sees two tables and asks: may I join you?",
        "The cache was sure that it was right. It had been, once.",
    ],
    "de": [
        "Treffen sich zwei Threads. Keiner weiß, wer zuerst kam.",
        "Warum sind Datenbanken einsam? Ihnen fehlen die Beziehungen.",
    ],
    "es": [
        "¿Qué le dice un bit al otro? Nos vemos en el bus.",
        "Mi código funciona y no sé por qué. Ayer no funcionaba, y tampoco lo sabía.",
    ],
    "it": [
        "Un byte entra in un bar: «Otto bit, per favore». «Tutti insieme?»",
        "Il programma era perfetto. Poi è arrivato l'utente.",
    ],
}


@register_plugin
def tell_joke(lan="en"):
    """A joke in one of a few languages."""
    language = str(lan or "en").strip().lower()[:2]
    if language not in JOKES:
        raise ValueError(f"No joke is known in {lan!r}; there are some in {', '.join(JOKES)}")
    return random.choice(JOKES[language])


@test_plugin(name="languages", description="each language has its own jokes")
def test_languages(api_call):
    assert api_call() in JOKES["en"]
    for language, jokes in JOKES.items():
        assert api_call(language) in jokes
    assert api_call("EN-us") in JOKES["en"]


@test_plugin(name="unknown language", description="the error names the languages there are")
def test_unknown(api_call):
    try:
        api_call("tlh")
    except ValueError as error:
        assert "en, de, es, it" in str(error), error
    else:
        raise AssertionError("a joke was told")
