"""A client of `llm.py` for servers of language models that are compatible with OpenAI's: one request, and within its
time one answer or one clear error. It follows no redirects, so that the key goes to no other server."""

import dataclasses
import email.utils
import http.client
import json
import queue
import socket
import ssl
import threading
import time
import urllib.parse

LONGEST_ANSWER = 1 << 20
LONGEST_DETAIL = 200
# Answers of models have a handful of levels. Python's own functions fail at some hundred.
DEEPEST_ANSWER = 100
# The longest wait that a server may ask for and that is worth a number.
LONGEST_WAIT = 1e6
PATH = "/chat/completions"
LOOPBACK = ("localhost", "127.0.0.1", "::1")


class ServerError(Exception):
    """The reason why there is no answer.

    `may_cost` says whether the server may charge for the request, `may_retry` whether another try may help, `wait` for
    how many seconds the server asks, and `is_reached` whether there was a connection."""

    def __init__(self, why: str, may_cost: bool, may_retry: bool, wait: float | None = None, is_reached: bool = True):
        super().__init__(why)
        self.may_cost = may_cost
        self.may_retry = may_retry
        self.wait = wait
        self.is_reached = is_reached


@dataclasses.dataclass(frozen=True)
class Address:
    """The address of a server, up to where its `chat/completions` begin."""

    is_secure: bool
    host: str
    port: int
    path: str

    @classmethod
    def parse(cls, text: str) -> "Address":
        """Reads an address such as `https://api.example.com/v1`. Raises ValueError with the problem."""
        if not text.isascii() or not text.isprintable() or " " in text:
            raise ValueError("has spaces or characters that no address has")
        parts = urllib.parse.urlsplit(text)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("is no address; write it like https://api.example.com/v1")
        if parts.username is not None or parts.password is not None:
            raise ValueError("has a user or a password; put the key into its own variable")
        if parts.fragment:
            raise ValueError("has a part after `#`; leave it out")
        is_secure = parts.scheme == "https"
        port = parts.port or (443 if is_secure else 80)
        path = parts.path.rstrip("/").removesuffix(PATH) + PATH
        return cls(is_secure, parts.hostname, port, path + ("?" + parts.query if parts.query else ""))

    def __str__(self) -> str:
        """Returns the address without its query, which may hold a secret."""
        scheme = "https" if self.is_secure else "http"
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{scheme}://{host}:{self.port}{self.path.partition('?')[0]}"

    @property
    def is_open(self) -> bool:
        """Whether a key would travel unencrypted over a network."""
        return not self.is_secure and self.host not in LOOPBACK


@dataclasses.dataclass(frozen=True)
class Reply:
    """A server's reply as it came."""

    status: int
    headers: http.client.HTTPMessage
    data: bytes


class Exchange:
    """One request. It runs in a thread, because a look-up of a name or a server that drips has no time-out."""

    def __init__(self, address: Address, headers: dict[str, str], body: bytes, seconds: float):
        self.address = address
        self.headers = headers
        self.body = body
        self.seconds = seconds
        self.is_sent = False
        self.is_given_up = False
        # Held where one of these two is decided by the other.
        self.lock = threading.Lock()
        self.socket: socket.socket | None = None
        self.outcome: queue.SimpleQueue = queue.SimpleQueue()

    def reply(self) -> Reply:
        """Returns the reply. Raises ServerError once the time is over, or where there is none."""
        threading.Thread(target=self.run, daemon=True).start()
        try:
            outcome = self.outcome.get(timeout=self.seconds)
        except queue.Empty:
            self.give_up()
            raise self.failure(TimeoutError()) from None
        if isinstance(outcome, ServerError):
            raise outcome
        return outcome

    def run(self) -> None:
        """Puts the reply, or the reason why there is none, into the queue."""
        try:
            self.outcome.put(self.talk())
        except ServerError as error:
            self.outcome.put(error)
        except (OSError, http.client.HTTPException, ValueError) as error:
            self.outcome.put(self.failure(error))

    def failure(self, error: Exception) -> ServerError:
        """Returns the error for a request without a reply."""
        return ServerError(self.problem(error), may_cost=self.is_sent, may_retry=True, is_reached=self.is_sent)

    def talk(self) -> Reply:
        """Sends the request and reads the reply, of which at most a little more than is allowed."""
        connection = self.connect()
        self.begin(connection)
        connection.request("POST", self.address.path, self.body, self.headers)
        response = connection.getresponse()
        data = response.read(LONGEST_ANSWER + 1)
        if len(data) <= LONGEST_ANSWER and response.length:
            raise ServerError(f"{self.address} broke off its answer", may_cost=True, may_retry=True)
        self.close()
        return Reply(response.status, response.headers, data)

    def begin(self, connection: http.client.HTTPConnection) -> None:
        """Notes that the request is sent. Raises TimeoutError if that is too late: it was said to cost nothing."""
        with self.lock:
            if not self.is_given_up:
                self.socket = connection.sock
                self.is_sent = True
                return
        connection.close()
        raise TimeoutError

    def give_up(self) -> None:
        """Ends the exchange. A request that is not sent by now never will be."""
        with self.lock:
            self.is_given_up = True
        self.close()

    def connect(self) -> http.client.HTTPConnection:
        """Returns a connection to the server."""
        host, port = self.address.host, self.address.port
        connection: http.client.HTTPConnection
        if self.address.is_secure:
            context = ssl.create_default_context()
            connection = http.client.HTTPSConnection(host, port, timeout=self.seconds, context=context)
        else:
            connection = http.client.HTTPConnection(host, port, timeout=self.seconds)
        connection.connect()
        return connection

    def close(self) -> None:
        """Ends the connection, and with it a thread that waits for it."""
        if self.socket is None:
            return
        try:
            self.socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            # The server was faster.
            pass
        self.socket.close()

    def problem(self, error: Exception) -> str:
        """Returns the problem in words."""
        if isinstance(error, TimeoutError):
            return f"{self.address} gave no whole answer within {self.seconds:.1f} seconds"
        if isinstance(error, PermissionError):
            return f"{self.address}: this process may use no network; the sandbox has none, so run with --sandbox none"
        if isinstance(error, socket.gaierror):
            return f"{self.address}: there is no host {self.address.host}, or no network ({error.strerror})"
        if isinstance(error, ConnectionRefusedError):
            return f"{self.address} refuses connections (Connection refused); is the server running?"
        if isinstance(error, ssl.SSLError):
            return f"{self.address}: the encrypted connection fails ({one_line(str(error))})"
        if isinstance(error, ConnectionError):
            return f"{self.address} closed the connection without an answer"
        if isinstance(error, http.client.HTTPException):
            return f"{self.address} does not answer in HTTP ({type(error).__name__}: {one_line(str(error))})"
        return f"{self.address} cannot be reached ({one_line(str(error))})"


class Server:
    """A server with its key."""

    def __init__(self, address: Address, key: str):
        self.address = address
        # Whether this process has reached the server before. If so, a server that is down may come back.
        self.is_known = False
        self.headers = {
            "Content-Type": "application/json",
            "Accept": "application/json",
            "Accept-Encoding": "identity",
            "Connection": "close",
            "User-Agent": "overtrick-llm",
        }
        if key:
            self.headers["Authorization"] = f"Bearer {key}"

    def post(self, request: dict, seconds: float) -> dict:
        """Sends a request and returns the answer, a JSON object. Raises ServerError."""
        body = json.dumps(request).encode()
        try:
            reply = Exchange(self.address, self.headers, body, seconds).reply()
        except ServerError as error:
            error.may_retry = error.may_retry and (error.is_reached or self.is_known)
            raise
        self.is_known = True
        if reply.status != 200:
            raise self.refusal(reply)
        try:
            return read_object(reply)
        except ValueError as error:
            why = f"{self.address} {error}; is the address right?"
            raise ServerError(why, may_cost=True, may_retry=False) from None

    def refusal(self, reply: Reply) -> ServerError:
        """Returns the error for a status that is not 200."""
        status = reply.status
        if 300 <= status < 400:
            target = one_line(reply.headers.get("Location", "")).partition("?")[0] or "nowhere"
            why = f"{self.address} redirects to {target}; set the address that is right"
            return ServerError(why, may_cost=False, may_retry=False)
        detail = error_text(reply.data)
        why = f"{self.address} answers with the status {status}" + (f": {detail}" if detail else "")
        # A gateway may have lost an answer that was paid for. A request that is refused costs nothing.
        may_cost = status < 300 or status >= 500
        may_retry = status in (408, 429) or status >= 500
        return ServerError(why, may_cost, may_retry, retry_after(reply.headers.get("Retry-After")))


def read_object(reply: Reply) -> dict:
    """Returns the JSON object of a reply. Raises ValueError with the problem."""
    encoding = reply.headers.get("Content-Encoding", "identity").strip().lower()
    if encoding not in ("", "identity"):
        raise ValueError(f"sends an answer in the encoding {one_line(encoding)!r}, which was not asked for")
    if len(reply.data) > LONGEST_ANSWER:
        raise ValueError(f"sends an answer of more than {LONGEST_ANSWER} bytes")
    try:
        text = reply.data.decode()
    except UnicodeDecodeError:
        raise ValueError("sends an answer that is not UTF-8") from None
    try:
        answer = json.loads(text)
    except (ValueError, RecursionError):
        start = one_line(text)[:60]
        raise ValueError(f"sends an answer that is no JSON and begins with {start!r}") from None
    if not isinstance(answer, dict):
        raise ValueError("sends JSON that is no object")
    if is_deep(answer):
        raise ValueError(f"sends JSON that is nested more than {DEEPEST_ANSWER} deep")
    return answer


def is_deep(value: object) -> bool:
    """Returns whether a value of JSON is nested too deep to be written into the journal."""
    level = [value]
    for _ in range(DEEPEST_ANSWER + 1):
        nested = [item for item in level if isinstance(item, (dict, list))]
        if not nested:
            return False
        level = [child for item in nested for child in (item.values() if isinstance(item, dict) else item)]
    return True


def answer_text(answer: dict) -> tuple[str, bool]:
    """Returns the text of an answer, and whether it was cut at the limit of tokens. Raises ValueError."""
    try:
        choice = answer["choices"][0]
        content = choice["message"].get("content")
        reason = choice.get("finish_reason")
    except (KeyError, IndexError, TypeError, AttributeError):
        detail = error_text(json.dumps(answer).encode())
        raise ValueError(f"sends an answer without `choices`: {detail}") from None
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict)]
        content = "".join(part for part in parts if isinstance(part, str))
    if content is None:
        content = ""
    if not isinstance(content, str):
        raise ValueError("sends an answer whose `content` is no text")
    # JSON can write half of a character as `\ud800`, which no message can carry back.
    return content.encode(errors="replace").decode(), reason == "length"


def error_text(data: bytes) -> str:
    """Returns the server's own words about an error, in one short line."""
    text = data.decode(errors="replace")
    try:
        document = json.loads(text)
        error = document.get("error", document)
        text = error["message"] if isinstance(error, dict) else error
    except (ValueError, RecursionError, KeyError, AttributeError):
        pass
    return one_line(text if isinstance(text, str) else json.dumps(text))[:LONGEST_DETAIL]


def one_line(text: str) -> str:
    """Returns a text in one line, without characters that a terminal might obey."""
    return "".join(letter if letter.isprintable() else "?" for letter in " ".join(text.split()))


def retry_after(value: str | None) -> float | None:
    """Returns the seconds that a header `Retry-After` asks for: a number, or a date."""
    if value is None:
        return None
    try:
        seconds = float(value)
    except ValueError:
        try:
            seconds = email.utils.parsedate_to_datetime(value).timestamp() - time.time()
        except (ValueError, TypeError, OverflowError):
            return None
    # Not a number, or a time in the past.
    return min(seconds, LONGEST_WAIT) if seconds > 0 else 0.0
