"""A bot that asks a language model for its moves, over any server that is compatible with OpenAI's.

docs/language-models.md says how it is set up, and lists its settings. It keeps prompts, answers and costs in a folder,
which it never reads but for the ledger of costs. `llm_cost.py` reports what the model has cost."""

import dataclasses
import datetime
import hashlib
import json
import os
import queue
import sys
import threading
import time
import typing

import overtrick

import llm_server
import llm_settings
import llm_text
from llm_budget import BudgetSpent, Tokens, most_tokens, read_usage

# A shorter key is no secret, and would be found in any text.
SHORTEST_SECRET = 6
# An answer is repeated to the model up to this length.
LONGEST_REPEATED = 2000
LONGEST_PAUSE = 60.0
# Bytes of a question: most have a little more.
USUAL_QUESTION = 700
# Seconds between two looks into the ledger.
POLL = 0.1


class GivenUp(Exception):
    """The reason why a decision has no move."""


class Journal:
    """A file of JSON lines: prompts, answers, moves and the ends of deals. The key is in none of them."""

    def __init__(self, setup: llm_settings.Setup):
        self.folder = setup.folder
        self.file: typing.TextIO | None = None
        self.model = setup.model
        self.key = setup.key if len(setup.key) >= SHORTEST_SECRET else ""
        self.lock = threading.Lock()

    def write(self, kind: str, variant: dict, **fields: object) -> None:
        """Appends a line."""
        now = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="milliseconds")
        line = {"kind": kind, "time": now, "model": self.model, "variant": variant["variant"], **fields}
        text = json.dumps(self.hidden(line)) + "\n"
        with self.lock:
            if self.file is None:
                self.file = self.create()
            self.file.write(text)
            self.file.flush()

    def create(self) -> typing.TextIO:
        """Creates the file. No two processes share one, and a process that plays nothing has none."""
        stamp = datetime.datetime.now(datetime.timezone.utc).strftime("%Y%m%dT%H%M%S.%f")
        return (self.folder / f"journal-{stamp}-{os.getpid()}.jsonl").open("x", encoding="utf-8")

    def hidden(self, value: object) -> object:
        """Returns a value with the key replaced in all its texts."""
        if isinstance(value, str):
            return value.replace(self.key, "[key]") if self.key else value
        if isinstance(value, list):
            return [self.hidden(item) for item in value]
        if isinstance(value, dict):
            return {self.hidden(name): self.hidden(item) for name, item in value.items()}
        return value


@dataclasses.dataclass
class Question:
    """A decision on its way to a move."""

    view: overtrick.View
    messages: list[dict[str, str]]
    until: float
    tries: int = 0


class Player:
    """Asks the model. Decisions may be made in several threads."""

    def __init__(self, setup: llm_settings.Setup):
        self.setup = setup
        self.settings = setup.settings
        self.journal = Journal(setup)
        self.variant: dict = {}
        self.system = ""
        # The variants whose first message is in the journal.
        self.kept: set[str] = set()
        self.lock = threading.Lock()

    def begin(self, variant: dict) -> None:
        """Takes the rules of a variant."""
        self.variant = variant
        self.system = llm_text.system_text(variant, llm_settings.read_guide(self.settings, variant))
        # Once the budget is used up the bot does not start, so that it is soon given up.
        first = [{"content": self.system}, {"content": " " * USUAL_QUESTION}]
        try:
            self.setup.ledger.check(self.most(first))
        except BudgetSpent as error:
            if not error.may_pass:
                sys.exit(str(error))

    def move(self, view: overtrick.View) -> str:
        """Returns a legal move. Raises GivenUp with the reason why there is none."""
        if len(view.legal) == 1 and not self.settings["ask-forced"]:
            return view.legal[0]
        is_listed = self.is_listed(view)
        messages = [
            {"role": "system", "content": self.system},
            {"role": "user", "content": llm_text.question_text(view.raw, view.legal, is_listed)},
        ]
        question = Question(view, messages, time.monotonic() + self.settings["decision-seconds"])
        for repairs in range(self.settings["repairs"] + 1):
            text, problem = self.ask(question)
            move = None
            if not problem:
                move, problem = llm_text.read_move(text, view.legal)
            if move is not None:
                self.journal.write("move", self.variant, deal=view.deal, seat=view.seat, move=move, repairs=repairs)
                return move
            question.messages += [
                {"role": "assistant", "content": text[:LONGEST_REPEATED] or "(no answer)"},
                {"role": "user", "content": llm_text.repair_text(problem, view.legal, is_listed)},
            ]
        raise GivenUp(f"the model names no legal move in {repairs + 1} answers. {problem}")

    def most(self, messages: list[dict[str, str]]) -> Tokens:
        """Returns the most tokens that a request can have."""
        return most_tokens(messages, self.settings["max-tokens"], self.settings["extra"])

    def is_listed(self, view: overtrick.View) -> bool:
        """Returns whether the model gets a list of the legal moves."""
        listed = self.settings["legal"]
        return listed == "always" or (listed == "calls" and not view.playing)

    def ask(self, question: Question) -> tuple[str, str]:
        """Returns an answer of the model, and the problem if it was cut. Tries again where that may help."""
        tries = 0
        while True:
            tries += 1
            left = question.until - time.monotonic()
            if left <= 0:
                raise GivenUp(f"the time for a decision, {self.settings['decision-seconds']:g} seconds, is over")
            try:
                return self.request(question, min(left, self.settings["request-seconds"]))
            except llm_server.ServerError as error:
                pause = self.pause(error, tries)
                if not error.may_retry or tries > self.settings["retries"]:
                    raise GivenUp(f"{error}{f' ({tries} tries)' if tries > 1 else ''}") from None
                if time.monotonic() + pause >= question.until:
                    why = f"{error}, and the wait of {pause:.1f} seconds is longer than the time for a decision"
                    raise GivenUp(why) from None
            time.sleep(pause)

    def pause(self, error: llm_server.ServerError, tries: int) -> float:
        """Returns the seconds to wait before the next try: those that the server asks for, or ever more."""
        if error.wait is not None:
            return error.wait
        return min(self.settings["pause"] * 2 ** min(tries - 1, 20), LONGEST_PAUSE)

    def request(self, question: Question, seconds: float) -> tuple[str, str]:
        """Sends one request within the budget, and keeps what it has cost."""
        most = self.most(question.messages)
        name = self.reserve(most, time.monotonic() + seconds)
        tokens, counted, answer, why = most, "most", {}, ""
        try:
            answer = self.setup.server.post(self.body(question), seconds)
            usage = read_usage(answer)
            if usage is not None:
                tokens, counted = usage, "usage"
            return self.read_answer(answer)
        except llm_server.ServerError as error:
            why = str(error)
            if not error.may_cost:
                tokens, counted = Tokens(), "nothing"
            raise
        finally:
            prices = self.setup.prices
            money = prices.most(tokens) if counted == "most" else prices.cost(tokens)
            self.setup.ledger.settle(name, money, tokens.total)
            question.tries += 1
            self.keep(question, answer, why, tokens, counted, money)

    def reserve(self, most: Tokens, until: float) -> str:
        """Sets the most aside that a request can cost. Near the end of the budget it waits for other requests."""
        while True:
            try:
                self.setup.ledger.check(most)
                return self.setup.ledger.reserve(most)
            except BudgetSpent as error:
                if not error.may_pass or time.monotonic() >= until:
                    raise GivenUp(str(error)) from None
            time.sleep(POLL)

    def body(self, question: Question) -> dict:
        """Returns the request."""
        body = {"model": self.setup.model, "messages": question.messages, **self.settings["extra"]}
        body[self.settings["limit-key"]] = self.settings["max-tokens"]
        if self.settings["send-seed"]:
            body["seed"] = question.view.seed
        return body

    def read_answer(self, answer: dict) -> tuple[str, str]:
        """Returns the text of an answer, and the problem if it was cut."""
        try:
            text, is_cut = llm_server.answer_text(answer)
        except ValueError as error:
            # It came, and its cost is counted.
            why = f"{self.setup.server.address} {error}; is the address right?"
            raise llm_server.ServerError(why, may_cost=True, may_retry=False) from None
        most = self.settings["max-tokens"]
        return text, f"The answer was cut at {most} tokens (settings.max-tokens); be brief" if is_cut else ""

    def keep(self, question: Question, answer: dict, why: str, tokens: Tokens, counted: str, money: int) -> None:
        """Writes a request into the journal."""
        view = question.view
        with self.lock:
            if self.variant["variant"] not in self.kept:
                self.kept.add(self.variant["variant"])
                self.journal.write("system", self.variant, text=self.system)
        self.journal.write(
            "request",
            self.variant,
            deal=view.deal,
            seat=view.seat,
            number=question.tries,
            # The first message stands in the line "system".
            messages=question.messages[1:],
            answer=answer,
            error=why,
            tokens=dataclasses.asdict(tokens),
            counted=counted,
            money=money,
        )

    def end(self, end: dict) -> None:
        """Writes the end of a deal. The cards have a digest, by which games with the same cards are known."""
        cards = json.dumps([self.variant["variant"], end["hands"], end.get("table")], sort_keys=True)
        digest = hashlib.sha256(cards.encode()).hexdigest()[:32]
        self.journal.write("end", self.variant, deal=end["deal"], seat=end["seat"], scores=end["scores"], cards=digest)

    def give_up(self, view: overtrick.View, why: str) -> None:
        """Ends the bot: a fault, with its reason."""
        why = str(self.journal.hidden(llm_server.one_line(why)))
        self.journal.write("fault", self.variant, deal=view.deal, seat=view.seat, why=why)
        sys.exit(f"no move for p{view.seat} in {self.variant['variant']}: {why}")


def send(message: dict) -> None:
    """Writes a message to Overtrick."""
    os.write(ANSWERS, (json.dumps(message) + "\n").encode())


def decide(player: Player, views: list[overtrick.View]) -> None:
    """Answers decisions, each in a thread. Where one has no move, the others are answered before the bot ends."""
    outcomes: queue.SimpleQueue = queue.SimpleQueue()

    def act(view: overtrick.View) -> None:
        try:
            outcomes.put((view, player.move(view), None))
        except BaseException as error:
            outcomes.put((view, None, error))

    for view in views:
        threading.Thread(target=act, args=(view,), daemon=True).start()
    failed = None
    for _ in views:
        view, move, error = outcomes.get()
        if error is None:
            send({"moves": [[int(view.id), move]]})
        else:
            failed = failed or (view, error)
    if failed is None:
        return
    view, error = failed
    if not isinstance(error, GivenUp):
        raise error
    player.give_up(view, str(error))


def main() -> None:
    """Answers messages until there are no more. The first is Overtrick's greeting."""
    lines = open(0, encoding="utf-8")
    greeting = json.loads(lines.readline())["hello"]
    player = Player(llm_settings.read_setup(greeting.get("settings", {})))
    hello = {"name": "llm", "protocol": overtrick.PROTOCOL, "variants": ["all"]}
    send({"hello": hello | {"batch": player.settings["parallel"], "deals": True}})
    for line in lines:
        if line.startswith('{"decide":'):
            decide(player, [overtrick.View(text, player.variant) for text in line.split("\t")[1:]])
            continue
        message = json.loads(line)
        if "variant" in message:
            player.begin(message["variant"])
        elif "end" in message:
            player.end(message["end"])
        elif "bye" in message:
            return


if __name__ == "__main__":
    # `print` goes to the log, and not between the answers.
    ANSWERS = os.dup(1)
    sys.stdout = sys.stderr
    main()
