"""A bot that counts cards: it wins a trick as cheaply as it surely can, leads what nothing unseen can beat, and else throws its lowest
card. It passes, or makes the first call that it may, in auctions.

A manifest may set `settings = { risk = 2 }`: it then also counts on a card that up to two unseen ones could beat. The bot declares this
setting, so `overtrick tune` finds the best value without a config."""

import overtrick

SETTINGS = {"risk": overtrick.Knob.integer(0, 5, 0, "unseen cards that may beat a card that it counts on")}


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
    strengths = view.strengths
    risk = SETTINGS["risk"]
    own_led = view.led
    height = lambda card: (strengths(own_led or card)[card], overtrick.rank(card), card)
    if low_is_good(view):
        return min(legal, key=height)
    # Everything that may still fall on the trick: what is unseen, and what is seen in hands that others play.
    rivals = view.unseen()
    for hand in view.circle:
        if view.decider(hand) != view.seat:
            rivals += view.cards(hand)
    trick = view.trick
    last = len(trick) == len(view.circle) - 1
    winners = []
    if trick:
        table = strengths(own_led or trick[0][1])
        needed = max(1, *(table[card] for _, card in trick))
        if not last:
            # The last of equals wins.
            feared = sorted((table[rival] for rival in rivals), reverse=True)[risk:]
            needed = max(needed, 1 + max(feared, default=0))
        winners = [card for card in legal if table[card] >= needed]
    else:
        for card in legal:
            table = strengths(card)
            strength = table[card]
            if strength > 0 and sum(table[rival] >= strength for rival in rivals) <= risk:
                winners.append(card)
    return min(winners or legal, key=height)


if __name__ == "__main__":
    overtrick.run("counting", choose, settings=SETTINGS)
