"""NAME: a bot for Overtrick. Change `choose`; then try it with `overtrick check`."""

import overtrick

# Values that a manifest may set and `overtrick tune NAME --variant V` tunes; `SETTINGS["last"]` is the value.
SETTINGS = {"last": overtrick.Knob.switch(False, "whether it wins tricks in last place alone")}


def choose(view):
    # Any of these texts is a legal answer: cards like "QH", or calls like "pass".
    legal = view.legal
    if not view.playing:
        return "pass" if "pass" in legal else view.pick(legal)
    # Choose a card. `view.own` is the own hand, `view.trick` what lies on the table as (hand, card), `view.led` the card that was
    # led, `view.contract`, `view.tricks`, `view.calls`... what happened before; overtrick.py and docs/protocol.md say what else there is.
    if not view.trick:
        return max(legal, key=overtrick.rank)
    led = view.led or view.trick[0][1]
    best = max(view.strength(led, card) for _, card in view.trick)
    winners = [card for card in legal if view.strength(led, card) > best]
    if SETTINGS["last"] and len(view.trick) < len(view.circle) - 1:
        winners = []
    return min(winners or legal, key=overtrick.rank)


if __name__ == "__main__":
    # Many decisions come in one message, which saves time; each is made by itself.
    overtrick.run("NAME", choose, batch=64, settings=SETTINGS)
