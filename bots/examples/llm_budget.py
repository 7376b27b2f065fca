"""What requests of `llm.py` cost, and the ledger that keeps all processes of a bot within one budget.

A process writes into the ledger the most that a request can cost before it sends it, and then reads what all have
written. So the sum of all requests never exceeds the budget, also where a process ends without an answer. That holds
as long as no request costs more than its most: docs/language-models.md says which ones could."""

import dataclasses
import decimal
import json
import pathlib
import threading
import typing
import uuid

LEDGER = "ledger.jsonl"
# Costs are whole numbers of this part of a unit of money, rounded up.
PARTS = 10**9
# Templates of chats add some tokens to each message, and to the whole. No known one adds as many as this.
OVERHEAD = 32
# No count of tokens in an answer can be larger.
MOST_TOKENS = 10**9


class BudgetSpent(Exception):
    """The next request could exceed the budget. `may_pass` says whether it fits once other requests have ended."""

    def __init__(self, why: str, may_pass: bool):
        super().__init__(why)
        self.may_pass = may_pass


@dataclasses.dataclass(frozen=True)
class Tokens:
    """The tokens of a request. The cached ones are among those of the prompt."""

    prompt: int = 0
    cached: int = 0
    answer: int = 0

    @property
    def total(self) -> int:
        return self.prompt + self.answer


@dataclasses.dataclass(frozen=True)
class Prices:
    """The prices of a million tokens, in units of money."""

    prompt: decimal.Decimal = decimal.Decimal(0)
    cached: decimal.Decimal = decimal.Decimal(0)
    answer: decimal.Decimal = decimal.Decimal(0)

    def cost(self, tokens: Tokens) -> int:
        """Returns the cost in parts of a unit of money."""
        fresh = tokens.prompt - tokens.cached
        millionths = fresh * self.prompt + tokens.cached * self.cached + tokens.answer * self.answer
        parts = millionths * PARTS / 10**6
        return int(parts.to_integral_value(rounding=decimal.ROUND_CEILING))

    def most(self, tokens: Tokens) -> int:
        """Returns the most that these tokens can cost, with the cache or without."""
        dearest = dataclasses.replace(self, cached=self.prompt, prompt=max(self.prompt, self.cached))
        return dearest.cost(dataclasses.replace(tokens, cached=0))


def most_tokens(messages: list[dict[str, str]], max_tokens: int, extra: dict) -> Tokens:
    """Returns the most tokens that a request can have: no token of a text is shorter than a byte.

    Further keys, such as tools, may be in the prompt, too. As JSON in ASCII they have no fewer bytes than in UTF-8."""
    size = OVERHEAD + len(json.dumps(extra))
    for message in messages:
        size += OVERHEAD + len(message["content"].encode())
    return Tokens(prompt=size, answer=max_tokens)


def is_count(value: object) -> typing.TypeGuard[int]:
    """Returns whether a value is a number of tokens."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_TOKENS


def read_usage(answer: dict) -> Tokens | None:
    """Returns the tokens that an answer reports; None if it reports none, or impossible ones."""
    usage = answer.get("usage")
    if not isinstance(usage, dict):
        return None
    prompt, completion, total = (usage.get(key) for key in ("prompt_tokens", "completion_tokens", "total_tokens"))
    if not is_count(prompt) or not is_count(completion):
        return None
    # Some servers count thoughts in the total alone.
    if is_count(total):
        completion = max(completion, total - prompt)
    details = usage.get("prompt_tokens_details")
    cached = details.get("cached_tokens") if isinstance(details, dict) else None
    return Tokens(prompt, min(cached, prompt) if is_count(cached) else 0, completion)


@dataclasses.dataclass(frozen=True)
class Budget:
    """The most that may be spent in all; None for no limit. Money is in parts of a unit."""

    money: int | None = None
    tokens: int | None = None


@dataclasses.dataclass
class Spent:
    """What has been spent or is reserved."""

    money: int = 0
    tokens: int = 0

    def exceeds(self, budget: Budget) -> bool:
        """Returns whether it is more than the budget."""
        too_dear = budget.money is not None and self.money > budget.money
        return too_dear or (budget.tokens is not None and self.tokens > budget.tokens)


class Ledger:
    """A file of reservations and of what requests have cost in the end, shared by processes and threads.

    Each line is appended at once, so that lines of several processes do not mix."""

    def __init__(self, folder: pathlib.Path, prices: Prices, budget: Budget):
        self.path = folder / LEDGER
        self.prices = prices
        self.budget = budget
        self.lock = threading.Lock()
        self.spent = Spent()
        self.read_to = 0
        self.lines = 0
        # The requests of all processes that were reserved and not settled.
        self.open: dict[str, Spent] = {}

    def reserve(self, most: Tokens) -> str:
        """Sets aside the most that a request can cost, and returns the name of the reservation.

        Raises BudgetSpent if that is too much."""
        name = uuid.uuid4().hex
        money = self.prices.most(most)
        with self.lock:
            self.append({"reserve": name, "money": money, "tokens": most.total})
            sum_with_own = self.read(name)
            if sum_with_own.exceeds(self.budget):
                self.append({"settle": name, "money": 0, "tokens": 0})
                raise self.shortage(money, most.total)
        return name

    def check(self, most: Tokens) -> None:
        """Raises BudgetSpent if a request would be too much as things stand. Sets nothing aside."""
        money = self.prices.most(most)
        with self.lock:
            self.read()
            if self.sum_with(money, most.total).exceeds(self.budget):
                raise self.shortage(money, most.total)

    def settle(self, name: str, money: int, tokens: int) -> None:
        """Replaces a reservation by what the request has cost."""
        with self.lock:
            self.append({"settle": name, "money": money, "tokens": tokens})

    def append(self, line: dict) -> None:
        """Appends a line."""
        with self.path.open("ab", buffering=0) as file:
            file.write(json.dumps(line).encode() + b"\n")

    def read(self, own: str = "") -> Spent:
        """Reads the lines that are new. Returns the sum up to the reservation `own`, or of all lines."""
        sum_with_own = None
        with self.path.open("rb") as file:
            file.seek(self.read_to)
            for line in file:
                if not line.endswith(b"\n"):
                    # It is being written.
                    break
                self.read_to += len(line)
                self.lines += 1
                if self.count(line) == own:
                    sum_with_own = dataclasses.replace(self.spent)
        return sum_with_own or self.spent

    def count(self, line: bytes) -> str | None:
        """Counts a line. Returns the name of the reservation that it makes, if it makes one."""
        try:
            entry = json.loads(line)
            money, tokens = int(entry["money"]), int(entry["tokens"])
            name = entry["reserve"] if "reserve" in entry else entry["settle"]
        except (ValueError, KeyError, TypeError):
            raise SystemExit(f"{self.path}:{self.lines}: is no line of a ledger; take another folder") from None
        self.spent.money += money
        self.spent.tokens += tokens
        if "reserve" in entry:
            self.open[name] = Spent(money, tokens)
            return name
        reserved = self.open.pop(name, Spent())
        self.spent.money -= reserved.money
        self.spent.tokens -= reserved.tokens
        return None

    def sum_with(self, money: int, tokens: int, is_settled: bool = False) -> Spent:
        """Returns the sum with a further request. With `is_settled`, other requests that are open count as nothing."""
        open_money = sum(reserved.money for reserved in self.open.values()) if is_settled else 0
        open_tokens = sum(reserved.tokens for reserved in self.open.values()) if is_settled else 0
        return Spent(self.spent.money - open_money + money, self.spent.tokens - open_tokens + tokens)

    def shortage(self, money: int, tokens: int) -> BudgetSpent:
        """Returns why a request is not sent."""
        self.read()
        used = self.spent
        if self.budget.money is not None and self.sum_with(money, tokens).money > self.budget.money:
            amounts = (self.budget.money, used.money, money)
            total, spent, needed = (f"{amount / PARTS:.6f}" for amount in amounts)
        else:
            total, spent, needed = f"{self.budget.tokens} tokens", f"{used.tokens}", f"{tokens}"
        why = (
            f"the budget of {total} is used up: {spent} is spent or reserved, and the next request may cost {needed}; "
            f"raise the budget to go on ({self.path})"
        )
        return BudgetSpent(why, not self.sum_with(money, tokens, is_settled=True).exceeds(self.budget))
