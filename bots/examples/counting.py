"""A bot that counts cards: it wins a trick as cheaply as it surely can, leads what nothing unseen can beat, and else throws its lowest
card. It passes, or makes the first call that it may, in auctions."""

import overtrick


def low_is_good(view):
    """Whether tricks are to be lost: a misere that the seat has declared."""
    contract = view.contract
    return bool(contract) and contract["kind"].startswith("misere") and contract["declarer"] == view.seat


def choose(view):
    legal = view.legal
    if len(legal) == 1:
        return legal[0]
    if not view.playing:
        if "pass" in legal:
            return "pass"
        if legal[0].startswith("discard "):
            return min(legal, key=lambda text: (overtrick.rank(text[-2:]), text))
        return legal[0]
    own_led = view.led
    height = lambda card: (view.strength(own_led or card, card), overtrick.rank(card), card)
    if low_is_good(view):
        return min(legal, key=height)
    # Everything that may still fall on the trick: what is unseen, and what is seen in hands that others play.
    rivals = view.unseen()
    for hand in view.circle:
        if view.decider(hand) != view.seat:
            rivals += view.cards(hand)
    trick = view.trick
    best = max((view.strength(own_led or trick[0][1], card) for _, card in trick), default=0)
    last = len(trick) == len(view.circle) - 1
    winners = []
    for card in legal:
        led = own_led or card
        strength = view.strength(led, card)
        if strength >= max(best, 1) and (last or all(view.strength(led, rival) < strength for rival in rivals)):
            winners.append(card)
    return min(winners or legal, key=height)


if __name__ == "__main__":
    overtrick.run("counting", choose)
