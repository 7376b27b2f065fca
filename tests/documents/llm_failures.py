"""Checks of the player that asks a language model where its server fails."""

import http.client
import http.server
import socket
import sys
import threading
import time

from llm_expect import PARTS, ends_with, expect, expect_in, failing, fresh, playing, settings_with_prices
from llm_fake import BOT, LONGEST, Asking, Reply, chat, in_turn, play, serving

sys.path.insert(0, str(BOT.parent))
import llm_server  # noqa: E402


def test_servers_that_are_down() -> None:
    """No server, no host, no encryption, a server that goes down, and one that closes the connection."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        # It is not tried again, since the address is probably wrong.
        outcome = Asking(fresh("down"), url, settings=settings_with_prices(retries=2)).run()
    ends_with(outcome, "refuses connections (Connection refused); is the server running?\n")
    expect("cost", outcome.ledger(), (0, 0))

    def goes_down(handler: http.server.BaseHTTPRequestHandler) -> None:
        handler.server.socket.shutdown(socket.SHUT_RDWR)
        handler.reply(chat("MOVE: QH"))

    with serving(play, goes_down) as fake:
        outcome = Asking(fresh("down"), fake.url, settings={"retries": 2}, times=2).run()
    expect("a move before", outcome.moves, {1: "QH"})
    expect_in("(Connection refused); is the server running? (3 tries)", outcome.stderr)
    outcome = Asking(fresh("down"), "https://no-such-host.invalid/v1").run()
    ends_with(outcome, "https://no-such-host.invalid:443/v1/chat/completions: there is no host")
    with serving(play) as fake:
        url = fake.url.replace("http:", "https:")
        outcome = Asking(fresh("down"), url, settings={"retries": 0}).run()
    ends_with(outcome, "the encrypted connection fails")
    closes = lambda handler: handler.connection.shutdown(socket.SHUT_RDWR)
    failing(None, "closed the connection without an answer (2 tries)", raw=closes, settings={"retries": 1})


def test_servers_that_are_slow() -> None:
    """A server that is silent, and one that drips, each for ever. The lost answer counts as the most it can cost."""

    def silent(_: http.server.BaseHTTPRequestHandler) -> None:
        time.sleep(LONGEST)

    def drips(handler: http.server.BaseHTTPRequestHandler) -> None:
        handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
        while True:
            handler.wfile.write(b"X-Drip: 1\r\n")
            time.sleep(0.05)

    settings = settings_with_prices(retries=0, request_seconds=2, max_tokens=1000)
    for raw in (silent, drips):
        with serving(play, raw) as fake:
            outcome = Asking(fresh("slow"), fake.url, settings=settings).run()
        ends_with(outcome, "gave no whole answer within 2.0 seconds")
        # On a machine that is busy beyond measure, the request may not have been sent.
        if fake.asked:
            expect("counted", [line["counted"] for line in outcome.lines("request")], ["most"])
            # An answer of 1000 tokens costs 2000 millionths.
            expect("at least the answer", outcome.ledger()[0] > 2000 * PARTS // 10**6, True)
    # All tries together have a time, too.
    settings = {"retries": 100, "request-seconds": 0.3, "decision-seconds": 1.0}
    failing(None, "decision", raw=silent, settings=settings)


class SlowToConnect(llm_server.Exchange):
    """A request whose connection stands only when `gate` opens, however short its time."""

    gate = threading.Event()
    connection: http.client.HTTPConnection | None = None

    def connect(self) -> http.client.HTTPConnection:
        self.gate.wait(LONGEST)
        self.connection = super().connect()
        return self.connection


def test_a_late_connection_sends_nothing() -> None:
    """A connection that stands after the time is over sends no request: its cost has been counted as nothing."""
    with serving(lambda _: chat("MOVE: QH")) as fake:
        exchange = SlowToConnect(llm_server.Address.parse(fake.url), {}, b'{"messages": []}', seconds=0.01)
        try:
            exchange.reply()
        except llm_server.ServerError as error:
            expect("may cost", error.may_cost, False)
            expect_in("gave no whole answer within 0.0 seconds", str(error))
        else:
            raise SystemExit("there is a reply without a connection")
        # A connection has its time from here, and not from the start.
        exchange.seconds = LONGEST
        exchange.gate.set()
        # The thread ends with an outcome that no caller waits for.
        outcome = exchange.outcome.get(timeout=LONGEST)
        expect("requests", len(fake.asked), 0)
        expect("outcome", isinstance(outcome, llm_server.ServerError), True)
        expect("the connection is closed", exchange.connection.sock, None)


def test_servers_that_talk_rubbish() -> None:
    """Answers that are no HTTP, no JSON, too long, cut, or in a wrong encoding."""
    deep = b"[" * 100_000
    once = {"settings": {"retries": 0}}
    failing(lambda _: Reply(b"<html>hello</html>"), "no JSON and begins with '<html>hello</html>'", **once)
    failing(lambda _: Reply(deep), "no JSON", **once)
    failing(lambda _: Reply(b'{"a":' + b"9" * 10_000 + b"}"), "no JSON", **once)
    failing(lambda _: Reply(b""), "no JSON", **once)
    failing(lambda _: Reply([1]), "JSON that is no object", **once)
    failing(lambda _: Reply({"choices": []}), "without `choices`", **once)
    failing(lambda _: Reply({"error": {"message": "no credit"}}), "without `choices`: no credit", **once)
    failing(lambda _: Reply({"choices": [{"message": {"content": 7}}]}), "`content` is no text", **once)
    failing(lambda _: Reply('{"ü":1}'.encode("utf-16")), "not UTF-8", **once)
    failing(lambda _: Reply(b"\x1f\x8b", 200, {"Content-Encoding": "gzip"}), "encoding 'gzip'", **once)
    failing(lambda _: Reply(b" " * (2 << 20)), "more than 1048576 bytes", **once)
    # Depths at which it can be read, but the journal could not be written.
    for depth, problem in [(99, "without `choices`"), (100, "nested more than 100 deep"), (900, "nested more than")]:
        nested = Reply(b'{"choices": [], "a": ' + b"[" * depth + b"]" * depth + b"}")
        outcome = failing(lambda _, nested=nested: nested, problem, **once)
        expect("faults", len(outcome.lines("fault")), 1)
    failing(lambda _: Reply(b"{}", 200, {"Content-Length": "9"}), "broke off its answer", **once)
    failing(None, "does not answer in HTTP", raw=lambda handler: handler.wfile.write(b"rubbish\n" * 9), **once)
    endless = lambda handler: [handler.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n")] + [
        handler.wfile.write(b" " * 65536) for _ in range(100_000)
    ]
    failing(None, "more than 1048576 bytes", raw=endless, **once)
    headers = lambda handler: handler.wfile.write(b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 10_000)
    failing(None, "does not answer in HTTP", raw=headers, **once)
    # Half of a character, which JSON can write and UTF-8 cannot. It is put back to the model as a question mark.
    outcome, asked = playing(in_turn(chat("\ud800 MOVE: 3S"), chat([{"text": "\udfff"}]), play), 3)
    expect("half characters", outcome.moves, {1: "2H"})
    expect("put back", [asked[2].body["messages"][place]["content"] for place in (2, 4)], ["? MOVE: 3S", "?"])
    # A part of a text, as some servers send it.
    outcome, _ = playing(lambda _: chat([{"type": "text", "text": "MOVE: "}, {"type": "text", "text": "QH"}]), 1)
    expect("parts", outcome.moves, {1: "QH"})


def test_statuses() -> None:
    """A wrong key ends the bot at once, an error of the server after some tries, and a passing one not at all."""
    denied = Reply({"error": {"message": "bad key\n\x1b[2J"}}, 401)
    outcome = failing(lambda _: denied, "answers with the status 401: bad key ?[2J", settings=settings_with_prices())
    expect("cost of a refusal", outcome.ledger(), (0, 0))
    outcome = failing(lambda _: Reply(b"oh", 500), "the status 500: oh (4 tries)", settings={"retries": 3})
    expect("requests", len(outcome.lines("request")), 4)
    outcome, _ = playing(in_turn(Reply(b"", 502), Reply(b"", 503), play), 3, settings=settings_with_prices())
    counted = [line["counted"] for line in outcome.lines("request")]
    expect("answers that a gateway loses", counted, ["most", "most", "usage"])
    failing(lambda _: Reply(b"", 204), "answers with the status 204")


def test_retry_after() -> None:
    """The wait that a server asks for is kept; one that is too long ends the bot."""
    wait = Reply(b"", 429, {"Retry-After": "1"})
    outcome, asked = playing(in_turn(wait, play), 2, settings=settings_with_prices())
    if asked[1].time - asked[0].time < 1.0:
        raise SystemExit("the bot asks before the second is over")
    expect("counted", [line["counted"] for line in outcome.lines("request")], ["nothing", "usage"])
    failing(lambda _: Reply(b"", 429, {"Retry-After": "3600"}), "status 429", "the wait of 3600.0 seconds")
    far = "Fri, 31 Dec 9999 23:59:59 GMT"
    failing(lambda _: Reply(b"", 503, {"Retry-After": far}), "the wait of 1000000.0 seconds")
    past = Reply(b"", 429, {"Retry-After": "Sun, 06 Nov 1994 08:49:37 GMT"})
    playing(in_turn(past, Reply(b"", 429, {"Retry-After": "nan"}), Reply(b"", 429, {"Retry-After": "soon"}), play), 4)


def test_redirects_are_not_followed() -> None:
    """The key goes to no other server."""
    with serving(play) as other:
        target = {"Location": other.url + "/chat/completions?token=secret-query"}
        outcome = failing(lambda _: Reply(b"", 307, target), f"redirects to {other.url}/chat/completions;")
        expect("requests elsewhere", other.asked, [])
    expect("query", "secret-query" in outcome.stderr, False)
