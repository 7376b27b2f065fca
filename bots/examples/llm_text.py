"""The texts of `llm.py`: a decision as a prompt, and the move that an answer names.

Prompts are made from what docs/protocol.md says that a seat may know, and from a guide to the rules if there is one."""

import json
import re

# The keys of a decision that the prompt has in words. Any other key is shown as it stands.
IN_WORDS = {
    *("id", "seed", "legal", "deal", "seat", "dealer", "hand", "seen", "counts", "circle", "deciders", "calls"),
    *("contract", "tricks", "led", "winning", "won", "up-card", "row", "trump", "last-deal", "standing"),
}
SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
WORDS = "ace king queen jack ten nine eight seven six five four three two"
NAMES = dict(zip(WORDS.split(), "akqjt98765432"))
SYMBOLS = str.maketrans({"♣": "c", "♦": "d", "♥": "h", "♠": "s", "♧": "c", "♢": "d", "♡": "h", "♤": "s", "\ufe0f": ""})
SPELLED = re.compile(rf"\b({'|'.join(NAMES)}|10|[2-9])\s+of\s+(club|diamond|heart|spade)s?\b")
MOVE = re.compile(r"\bmove\W*:\s*(.+)", re.IGNORECASE)
THOUGHT = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
LONGEST_QUOTE = 80


def cards_text(cards: list[str]) -> str:
    """Returns cards by suit, in the order in which they came."""
    groups: dict[str, list[str]] = {}
    for card in cards:
        groups.setdefault(card[1] if card[1] in SUITS else "J", []).append(card)
    return " | ".join(" ".join(group) for group in groups.values())


def values_text(values: dict) -> str:
    """Returns names with their values, such as `p0 3, p1 0`."""
    return ", ".join(f"{name} {value}" for name, value in values.items())


def system_text(variant: dict, guide: str) -> str:
    """Returns the first message: the game, the notation, the rules and the form of an answer."""
    rules = "\n".join(f"  {name} = {json.dumps(value)}" for name, value in variant["rules"].items())
    lines = [
        f"You play a trick-taking card game: {variant['game']}, variant {variant['variant']}.",
        f"There are {variant['players']} players, p0 to p{variant['players'] - 1}, clockwise. "
        f"The hands at the table are {', '.join(variant['hands'])}.",
        "A card is a rank and a suit. Ranks: 2 to 9, T (ten), J, Q, K, A. Suits: C, D, H, S. "
        "BJ and LJ are the big and the little joker.",
        f"The deck: {cards_text(variant['deck'])}",
        f"The settings of the rules:\n{rules}",
    ]
    if guide:
        lines.append(f"The rules in full:\n\n{guide.strip()}\n")
    lines.append("You may think first. End your answer with one line that names your move and nothing else:\nMOVE: ...")
    return "\n".join(lines)


def plays_text(trick: dict, circle: list[str]) -> str:
    """Returns the cards of a trick with their hands, in the order of play."""
    first = circle.index(trick["leader"])
    plays = []
    for number, card in enumerate(trick["cards"]):
        plays.append(f"{circle[(first + number) % len(circle)]} {card}")
    return ", ".join(plays)


def calls_text(calls: list) -> str:
    """Returns the calls so far. A choice that other seats do not see has no text."""
    return "; ".join(f"p{seat} {'a hidden choice' if text is None else text}" for seat, text in calls)


def table_lines(decision: dict) -> list[str]:
    """Returns lines about the cards: those in sight, and the numbers of the others."""
    lines = []
    for place, cards in decision["seen"].items():
        lines.append(f"Cards in {place}: {cards_text(cards)}")
    seen = decision["seen"]
    hidden = {place: count for place, count in decision["counts"].items() if place not in seen}
    if hidden:
        lines.append(f"Cards that you do not see, by place: {values_text(hidden)}")
    if "up-card" in decision:
        lines.append(f"The card that was turned up: {decision['up-card']}")
    if "row" in decision:
        lines.append(f"The row, in the order in which it is taken: {' '.join(decision['row'])}")
    return lines


def call_lines(decision: dict) -> list[str]:
    """Returns lines about the calls and the contract."""
    lines = []
    if decision["calls"]:
        lines.append(f"Calls so far: {calls_text(decision['calls'])}")
    contract = decision.get("contract")
    if contract:
        known = {name: value for name, value in contract.items() if value is not None}
        if "declarer" in known:
            known["declarer"] = f"p{known['declarer']}"
        lines.append(f"The contract: {values_text(known)}")
    if "trump" in decision:
        lines.append(f"Trumps: {decision['trump']}")
    return lines


def trick_lines(decision: dict) -> list[str]:
    """Returns lines about the tricks: those that are over, and the one in progress."""
    lines = []
    circle = decision["circle"]
    if circle:
        lines.append(f"Order of play: {', '.join(circle)}")
    for hand, seat in decision.get("deciders", {}).items():
        lines.append(f"p{seat} chooses the cards of {hand}.")
    for number, trick in enumerate(decision["tricks"], start=1):
        plays = plays_text(trick, circle)
        if "winner" in trick:
            lines.append(f"Trick {number}: {plays}. {trick['winner']} won.")
        else:
            lines.append(f"Trick {number}, in progress: {plays}")
    if "led" in decision:
        lines.append(f"{decision['led']} set the suit.")
    if "winning" in decision:
        lines.append(f"{decision['winning']} is winning the trick.")
    if decision["won"]:
        lines.append(f"Tricks won: {values_text(decision['won'])}")
    return lines


def standing_text(standing: dict) -> str:
    """Returns the state of the match before the deal."""
    totals = {f"p{seat}": total for seat, total in enumerate(standing["totals"])}
    return f"The match before this deal: {values_text(totals)}. Deals played: {standing['deals']}."


def is_card(text: str) -> bool:
    """Returns whether a legal move is a card, and not a call."""
    return len(text) == 2


def question_text(decision: dict, legal: list[str], is_listed: bool) -> str:
    """Returns the message about one decision."""
    lines = [f"You are p{decision['seat']}. The dealer is p{decision['dealer']}."]
    lines.append(standing_text(decision["standing"]))
    if decision.get("last-deal"):
        lines.append("This is a last deal, which has special rules.")
    lines += [*table_lines(decision), *call_lines(decision), *trick_lines(decision)]
    for key, value in decision.items():
        if key not in IN_WORDS:
            lines.append(f"{key}: {json.dumps(value)}")
    if is_card(legal[0]):
        lines.append(f"It is your turn to play a card from {decision['hand']}.")
    else:
        lines.append(f"It is your turn to make a call for {decision['hand']}.")
    if is_listed:
        lines.append(f"Your legal moves: {', '.join(legal)}")
    return "\n".join(lines)


def repair_text(problem: str, legal: list[str], is_listed: bool) -> str:
    """Returns the message after an answer without a legal move."""
    listed = f" Your legal moves: {', '.join(legal)}." if is_listed else ""
    return f"{problem}.{listed} Answer again, and end with one line: MOVE: ..."


def plain(text: str) -> str:
    """Returns a move without differences of writing: letters, symbols of suits, words, tens, quotes and spaces."""
    text = text.translate(SYMBOLS).lower()
    text = SPELLED.sub(lambda found: NAMES.get(found[1], found[1]) + found[2][0], text)
    text = re.sub(r"\b10\s*([cdhs])\b", r"t\1", text)
    return re.sub(r"[^a-z0-9-]", "", text)


def find(named: str, legal: list[str]) -> str | None:
    """Returns the one legal move that a text names."""
    if named.strip() in legal:
        return named.strip()
    same = [move for move in legal if plain(move) == plain(named)]
    return same[0] if len(same) == 1 else None


def quote(text: str) -> str:
    """Returns a text in one short line."""
    text = " ".join(text.split())
    shown = "".join(letter if letter.isprintable() else "?" for letter in text[:LONGEST_QUOTE])
    return f"`{shown}`" if len(text) <= LONGEST_QUOTE else f"`{shown}...`"


def read_move(answer: str, legal: list[str]) -> tuple[str | None, str]:
    """Returns the move that an answer names, or else the problem.

    The last line `MOVE: ...` counts. Without one, the last line must be a move and nothing else."""
    text = THOUGHT.sub("", answer).strip()
    if not text:
        return None, "The answer is empty"
    named = MOVE.findall(text)
    last = named[-1] if named else text.splitlines()[-1]
    move = find(last, legal)
    if move is not None:
        return move, ""
    if not named:
        return None, f"The answer has no line `MOVE: ...`; it ends with {quote(last)}"
    return None, f"{quote(last)} is not a legal move"
