"""Fake servers of language models on the loopback address, and a bot that is asked without Overtrick."""

import contextlib
import dataclasses
import http.server
import json
import os
import pathlib
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator

ROOT = pathlib.Path(__file__).resolve().parents[2]
BOT = ROOT / "bots/examples/llm.py"
KEY = "sk-0123456789-secret"
# No answer of a fake server takes as long. A bot that hangs fails by it.
LONGEST = 120


@dataclasses.dataclass
class Asked:
    """A request that a server has received."""

    path: str
    headers: dict
    body: dict
    time: float

    @property
    def question(self) -> str:
        """The last message."""
        return self.body["messages"][-1]["content"]

    @property
    def legal(self) -> list[str]:
        """The legal moves that the messages list."""
        text = "\n".join(message["content"] for message in self.body["messages"])
        return re.findall(r"legal moves: ([^.\n]*)", text)[-1].split(", ")


@dataclasses.dataclass
class Reply:
    """A reply: a status, a body as bytes or as an object for JSON, and further headers."""

    body: object = b""
    status: int = 200
    headers: dict = dataclasses.field(default_factory=dict)


def chat(text: object, prompt: int = 100, answer: int = 10, **more: object) -> Reply:
    """Returns the reply of a model that says a text."""
    usage = {"prompt_tokens": prompt, "completion_tokens": answer, "total_tokens": prompt + answer}
    choices = [{"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}]
    return Reply({"choices": choices, "usage": usage} | more)


def play(asked: Asked) -> Reply:
    """Returns the reply of a model that plays the first legal move."""
    return chat(f"I think.\nMOVE: {asked.legal[0]}")


Answers = Callable[[Asked], Reply | None]


@dataclasses.dataclass
class Fake:
    """A running server."""

    url: str
    asked: list[Asked]


def in_turn(*replies: Reply | Answers) -> Answers:
    """Answers one request after the other, and all further ones like the last."""
    left = list(replies)

    def answer(asked: Asked) -> Reply | None:
        reply = left.pop(0) if len(left) > 1 else left[0]
        return reply(asked) if callable(reply) else reply

    return answer


@contextlib.contextmanager
def serving(answer: Answers, raw: Callable | None = None) -> Iterator[Fake]:
    """Runs a server. `raw` writes to the connection itself, with a server's handler."""
    fake = Fake("", [])
    lock = threading.Lock()

    class Handler(http.server.BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked = Asked(self.path, dict(self.headers), body, time.monotonic())
            with lock:
                fake.asked.append(asked)
            with contextlib.suppress(OSError):
                if raw is not None:
                    raw(self)
                    return
                self.reply(answer(asked))

        def reply(self, reply: Reply) -> None:
            data = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
            self.send_response(reply.status)
            for name, value in ({"Content-Length": str(len(data))} | reply.headers).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    fake.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    try:
        yield fake
    finally:
        server.shutdown()
        thread.join()
        # Handlers that never answer must not be waited for.
        server.socket.close()


@dataclasses.dataclass
class Outcome:
    """How a bot has ended: its moves by the number of the decision, its exit code and its standard error."""

    moves: dict[int, str]
    code: int
    stderr: str
    folder: pathlib.Path

    def lines(self, kind: str) -> list[dict]:
        """Returns the lines of the journals of one kind."""
        lines = []
        for path in sorted(self.folder.glob("journal-*.jsonl")):
            lines += [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        return [line for line in lines if line["kind"] == kind]

    def ledger(self) -> tuple[int, int]:
        """Returns money and tokens of the ledger after all settlements."""
        money = tokens = 0
        reserved: dict[str, dict] = {}
        for line in (self.folder / "ledger.jsonl").read_text(encoding="utf-8").splitlines():
            entry = json.loads(line)
            if "reserve" in entry:
                reserved[entry["reserve"]] = entry
            else:
                del reserved[entry["settle"]]
                money, tokens = money + entry["money"], tokens + entry["tokens"]
        for entry in reserved.values():
            money, tokens = money + entry["money"], tokens + entry["tokens"]
        return money, tokens


def examples() -> dict[str, dict[str, str]]:
    """Returns the messages of docs/protocol.md by game and name, as lines."""
    page = (ROOT / "docs/protocol.md").read_text(encoding="utf-8")
    games: dict[str, dict[str, str]] = {}
    for block in re.findall(r"^### ([a-z-]+)\n\n```json\n(.*?)```", page, flags=re.MULTILINE | re.DOTALL):
        game, lines = block
        games[game] = {next(iter(json.loads(line))): line for line in lines.splitlines()}
    return games


def decisions(line: str, count: int) -> str:
    """Returns a message with a decision several times, numbered from 1."""
    head, text = line.split("\t")
    text = text.removesuffix("]}")
    return head + ",".join("\t" + re.sub(r'"id":\d+', f'"id":{n}', text) for n in range(1, count + 1)) + "]}"


@dataclasses.dataclass
class Asking:
    """How a bot is asked: `game` names an example of docs/protocol.md."""

    folder: pathlib.Path
    url: str = "http://127.0.0.1:9/v1"
    game: str = "dumbo"
    count: int = 1
    settings: dict = dataclasses.field(default_factory=dict)
    environment: dict = dataclasses.field(default_factory=dict)
    # Messages of decisions, one after the other.
    times: int = 1
    end: bool = False

    def run(self) -> Outcome:
        """Starts the bot, asks it, and returns how it ended."""
        example = examples()[self.game]
        settings = {"pause": 0.01, "parallel": self.count} | self.settings
        lines = [json.dumps({"hello": {"protocol": 1, "overtrick": "test", "settings": settings}}), example["variant"]]
        lines.append(example["deal"])
        lines += [decisions(example["decide"], self.count)] * self.times
        if self.end:
            lines.append(example["end"])
        lines.append('{"bye":{}}')
        environment = {
            "PATH": os.environ["PATH"],
            "OVERTRICK_LLM_URL": self.url,
            "OVERTRICK_LLM_MODEL": "fake-1",
            "OVERTRICK_LLM_KEY": KEY,
            "OVERTRICK_LLM_FOLDER": str(self.folder),
        }
        done = subprocess.run(
            [sys.executable, "-S", BOT],
            input="\n".join(lines) + "\n",
            env={name: value for name, value in (environment | self.environment).items() if value is not None},
            capture_output=True,
            text=True,
            timeout=LONGEST,
            check=False,
        )
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        moves = [move for answer in answers for move in answer.get("moves", [])]
        return Outcome(dict(moves), done.returncode, done.stderr, self.folder)
