/**
 * Bytes of a backend and what has to become of them. `answer`: `STATUS body`, with `!` at its end when the body breaks off, or why
 * there is none. `isKept`: whether the connection may serve the next request. Text stands for single bytes.
 */
export interface ResponseCase {
  readonly name: string;
  readonly bytes: string;
  readonly answer: string;
  readonly isKept: boolean;
  /** Of the request; GET by default. */
  readonly method?: string;
  /** The request asks for WebSocket. */
  readonly asksUpgrade?: boolean;
  /** The backend closes behind its bytes. */
  readonly closes?: boolean;
}

function head(...lines: string[]): string {
  return `${lines.join("\r\n")}\r\n\r\n`;
}

const ok = (...fields: string[]): string => head("HTTP/1.1 200 OK", ...fields);
const chunks = (text: string): string => `${ok("Transfer-Encoding: chunked")}${text}`;
const OTHER = `${ok("Content-Length: 4")}evil`;

const kept = (name: string, bytes: string, answer: string, more: Partial<ResponseCase> = {}): ResponseCase => ({
  name,
  bytes,
  answer,
  isKept: true,
  ...more,
});
const dropped = (name: string, bytes: string, answer: string, more: Partial<ResponseCase> = {}): ResponseCase => ({
  name,
  bytes,
  answer,
  isKept: false,
  ...more,
});
const improper = (name: string, bytes: string, more: Partial<ResponseCase> = {}): ResponseCase =>
  dropped(name, bytes, "protocol", more);

const PROPER: readonly ResponseCase[] = [
  kept("a length", `${ok("Content-Length: 3")}abc`, "200 abc"),
  kept("a length of nothing", ok("Content-Length: 0"), "200 "),
  kept("chunks", chunks("3\r\nabc\r\n0\r\n\r\n"), "200 abc"),
  kept("chunks with trailers", chunks("1\r\na\r\n0\r\nX: y\r\n\r\n"), "200 a"),
  dropped("up to the end of the connection", `${ok("X: y")}abc`, "200 abc", { closes: true }),
  dropped("up to the end of the connection, in HTTP/1.0", `${head("HTTP/1.0 200 OK")}abc`, "200 abc", { closes: true }),
  dropped("the last one says so", `${ok("Content-Length: 3", "Connection: close")}abc`, "200 abc"),
  dropped("HTTP/1.0 with a length", `${head("HTTP/1.0 200 OK", "Content-Length: 3")}abc`, "200 abc"),
  kept(
    "HTTP/1.0 that stays",
    `${head("HTTP/1.0 200 OK", "Content-Length: 3", "Connection: keep-alive")}abc`,
    "200 abc",
  ),
  kept("no content", head("HTTP/1.1 204 No Content"), "204 "),
  kept("no content, with a length of nothing", head("HTTP/1.1 204 No Content", "Content-Length: 0"), "204 "),
  kept("not modified, with the length of what was not", head("HTTP/1.1 304 Not Modified", "Content-Length: 3"), "304 "),
  kept("an answer to HEAD, with the length of what is not sent", ok("Content-Length: 3"), "200 ", { method: "HEAD" }),
  kept("an answer to HEAD, with chunks that are not sent", ok("Transfer-Encoding: chunked"), "200 ", {
    method: "HEAD",
  }),
  kept("no words behind the status", `HTTP/1.1 200\r\nContent-Length: 3\r\n\r\nabc`, "200 abc"),
  kept("empty words behind the status", `HTTP/1.1 200 \r\nContent-Length: 3\r\n\r\nabc`, "200 abc"),
  kept("a status that nobody knows", `${head("HTTP/1.1 299 Odd", "Content-Length: 1")}a`, "299 a"),
  kept(
    "interim answers before the final one",
    `${head("HTTP/1.1 100 Continue")}${head("HTTP/1.1 103 Early Hints", "Link: </a>")}${ok("Content-Length: 1")}a`,
    "200 a",
  ),
  kept("an error", `${head("HTTP/1.1 500 Oh", "Content-Length: 1")}a`, "500 a"),
];

const FRAMING: readonly ResponseCase[] = [
  improper("a length beside chunks", `${ok("Content-Length: 3", "Transfer-Encoding: chunked")}0\r\n\r\n`),
  improper("chunks beside a length", `${ok("Transfer-Encoding: chunked", "Content-Length: 3")}0\r\n\r\n`),
  improper("two lengths that differ", `${ok("Content-Length: 3", "Content-Length: 4")}abcd`),
  improper("two lengths that agree", `${ok("Content-Length: 3", "Content-Length: 3")}abc`),
  improper("a list of lengths", `${ok("Content-Length: 3, 3")}abc`),
  improper("a length with a plus", `${ok("Content-Length: +3")}abc`),
  improper("a length with a minus", ok("Content-Length: -3")),
  improper("a length of base 16", `${ok("Content-Length: 0x3")}abc`),
  improper("a length that no number holds", ok("Content-Length: 99999999999999999999")),
  improper("an empty length", ok("Content-Length:")),
  improper("an encoding that nobody asked for", `${ok("Transfer-Encoding: gzip, chunked")}0\r\n\r\n`),
  improper("identity", ok("Transfer-Encoding: identity")),
  improper("a comma before chunked", `${ok("Transfer-Encoding: ,chunked")}0\r\n\r\n`),
  improper("chunked twice", `${ok("Transfer-Encoding: chunked", "Transfer-Encoding: chunked")}0\r\n\r\n`),
  improper("chunked before a vertical tab", `${ok("Transfer-Encoding: chunked\x0b")}0\r\n\r\n`),
  improper("chunks in HTTP/1.0", `${head("HTTP/1.0 200 OK", "Transfer-Encoding: chunked")}0\r\n\r\n`),
  dropped("a chunk's size that is none", chunks("x\r\n"), "200 !"),
  dropped("a chunk's size with a prefix", chunks("0x1\r\na\r\n0\r\n\r\n"), "200 !"),
  dropped("a chunk's size with a sign", chunks("-1\r\na\r\n0\r\n\r\n"), "200 !"),
  dropped("a chunk's size that ends in a line feed", chunks("1\na\r\n0\r\n\r\n"), "200 !"),
  dropped("a chunk that is longer than it says", chunks("1\r\nab\r\n0\r\n\r\n"), "200 a!"),
  dropped("chunks without a last one", chunks("1\r\na\r\n"), "200 a!", { closes: true }),
  dropped("a body that is shorter than it says", `${ok("Content-Length: 5")}abc`, "200 abc!", { closes: true }),
  dropped("an answer that nobody asked for behind a proper one", `${ok("Content-Length: 3")}abc${OTHER}`, "200 abc"),
  dropped("an answer that nobody asked for behind chunks", `${chunks("1\r\na\r\n0\r\n\r\n")}${OTHER}`, "200 a"),
  dropped("a body behind an answer to HEAD", `${ok("Content-Length: 3")}abc`, "200 ", { method: "HEAD" }),
  dropped("a body behind no content", `${head("HTTP/1.1 204 No Content", "Content-Length: 3")}abc`, "204 "),
  dropped("a body behind not modified", `${head("HTTP/1.1 304 Not Modified", "Content-Length: 3")}abc`, "304 "),
  dropped("an empty line behind the body", `${ok("Content-Length: 3")}abc\r\n`, "200 abc"),
];

const LINES: readonly ResponseCase[] = [
  improper("lines that end in line feeds", "HTTP/1.1 200 OK\nContent-Length: 3\n\nabc"),
  improper("a field that ends in a line feed", "HTTP/1.1 200 OK\r\nX: y\nContent-Length: 3\r\n\r\nabc"),
  improper("a carriage return in a field", `${ok("X: y\rZ: z", "Content-Length: 3")}abc`),
  improper("a NUL in a field", `${ok("X: \0", "Content-Length: 3")}abc`),
  improper("a folded field", `${ok("X: y", " z", "Content-Length: 3")}abc`),
  improper("a blank before a colon", `${ok("Content-Length : 3")}abc`),
  improper("a field without a name", `${ok(": y", "Content-Length: 3")}abc`),
  improper("a field without a colon", `${ok("X", "Content-Length: 3")}abc`),
  improper("an empty line before the answer", `\r\n${ok("Content-Length: 3")}abc`),
  improper("another version", head("HTTP/2.0 200 OK")),
  improper("a version in small letters", head("http/1.1 200 OK")),
  improper("a status of two digits", head("HTTP/1.1 20 OK")),
  improper("a status of four digits", head("HTTP/1.1 2000 OK")),
  improper("a status that is none", head("HTTP/1.1 abc OK")),
  improper("a status below 100", head("HTTP/1.1 099 OK")),
  improper("two blanks before the status", head("HTTP/1.1  200 OK")),
  improper("a control character in the words", head("HTTP/1.1 200 O\x01K")),
  improper("no HTTP at all", "220 mail.example ESMTP\r\n\r\n"),
  improper("a head that is too long", ok(`X: ${"y".repeat(17_000)}`)),
  improper("a head without end", `HTTP/1.1 200 OK\r\nX: ${"y".repeat(17_000)}`),
  improper("too many fields", ok(...Array.from({ length: 101 }, (_, at) => `X-${at}: y`))),
  improper("interim answers without end", head("HTTP/1.1 100 Continue").repeat(40)),
  dropped("nothing", "", "reset", { closes: true }),
  dropped("half a head", "HTTP/1.1 200 OK\r\nX: ", "reset", { closes: true }),
  dropped("an interim answer and nothing more", head("HTTP/1.1 100 Continue"), "reset", { closes: true }),
];

const UPGRADES: readonly ResponseCase[] = [
  dropped(
    "another protocol, as was asked",
    `${head("HTTP/1.1 101 Switching Protocols", "Connection: Upgrade", "Upgrade: websocket")}raw`,
    "101 raw",
    { asksUpgrade: true, closes: true },
  ),
  improper(
    "another protocol that was not asked for",
    head("HTTP/1.1 101 Switching Protocols", "Connection: Upgrade", "Upgrade: websocket"),
  ),
  improper(
    "another protocol than was asked for",
    head("HTTP/1.1 101 Switching Protocols", "Connection: Upgrade", "Upgrade: h2c"),
    { asksUpgrade: true },
  ),
  improper("101 without a protocol", head("HTTP/1.1 101 Switching Protocols"), { asksUpgrade: true }),
  kept(
    "200 to an upgrade is an answer, not a tunnel",
    `${ok("Connection: Upgrade", "Upgrade: websocket", "Content-Length: 1")}a`,
    "200 a",
    { asksUpgrade: true },
  ),
  dropped("200 to an upgrade with more behind it", `${ok("Content-Length: 1")}a${OTHER}`, "200 a", {
    asksUpgrade: true,
  }),
];

/** Everything that a backend can do to make a gateway give one client's answer to another. */
export const RESPONSE_CASES: readonly ResponseCase[] = [...PROPER, ...FRAMING, ...LINES, ...UPGRADES];
