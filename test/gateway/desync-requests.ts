/**
 * Bytes of a client and what has to become of them. `seen`: what the backend gets, one request after the other, as
 * `METHOD target host body`. `outcome`: the status of a refusal, which closes; `open` for the next request; `closed` after the last
 * answer; `waiting` for more of a message. Text stands for single bytes.
 */
export interface RequestCase {
  readonly name: string;
  readonly bytes: string;
  readonly seen: readonly string[];
  readonly outcome: number | "open" | "closed" | "waiting";
}

const HOST = "Host: a";

function head(...lines: string[]): string {
  return `${lines.join("\r\n")}\r\n\r\n`;
}

const get = (...fields: string[]): string => head("GET /x HTTP/1.1", HOST, ...fields);
const post = (...fields: string[]): string => head("POST /x HTTP/1.1", HOST, ...fields);
const NEXT = head("GET /next HTTP/1.1", HOST);

const refused = (name: string, bytes: string, status = 400): RequestCase => ({
  name,
  bytes,
  seen: [],
  outcome: status,
});
const taken = (name: string, bytes: string, ...seen: string[]): RequestCase => ({ name, bytes, seen, outcome: "open" });

const ORDINARY: readonly RequestCase[] = [
  taken("a plain request", get(), "GET /x a "),
  taken("two in one piece, in their order", get() + NEXT, "GET /x a ", "GET /next a "),
  taken("a body with a length", `${post("Content-Length: 3")}abc`, "POST /x a abc"),
  taken(
    "a body with a length, then another request",
    `${post("Content-Length: 3")}abc${NEXT}`,
    "POST /x a abc",
    "GET /next a ",
  ),
  taken("chunks", `${post("Transfer-Encoding: chunked")}3\r\nabc\r\n0\r\n\r\n`, "POST /x a abc"),
  taken(
    "chunks, then another request",
    `${post("Transfer-Encoding: chunked")}1\r\na\r\n2\r\nbc\r\n0\r\n\r\n${NEXT}`,
    "POST /x a abc",
    "GET /next a ",
  ),
  taken(
    "a chunk's size with leading zeros",
    `${post("Transfer-Encoding: chunked")}0003\r\nabc\r\n000\r\n\r\n`,
    "POST /x a abc",
  ),
  taken(
    "a chunk's size in capitals",
    `${post("Transfer-Encoding: chunked")}A\r\n0123456789\r\n0\r\n\r\n`,
    "POST /x a 0123456789",
  ),
  taken(
    "trailers",
    `${post("Transfer-Encoding: chunked")}1\r\na\r\n0\r\nX-Sum: 1\r\n\r\n${NEXT}`,
    "POST /x a a",
    "GET /next a ",
  ),
  taken("an extension of a chunk", `${post("Transfer-Encoding: chunked")}1;a=b\r\na\r\n0;c\r\n\r\n`, "POST /x a a"),
  taken(
    "an extension with a quoted string",
    `${post("Transfer-Encoding: chunked")}1;a="b;c"\r\na\r\n0\r\n\r\n`,
    "POST /x a a",
  ),
  taken("a body behind GET", `${get("Content-Length: 2")}hi${NEXT}`, "GET /x a hi", "GET /next a "),
  taken("a length of nothing", post("Content-Length: 0"), "POST /x a "),
  taken("a length with leading zeros", `${post("Content-Length: 003")}abc`, "POST /x a abc"),
  taken("one empty line before the request", `\r\n${get()}`, "GET /x a "),
  taken("one empty line between requests", `${get()}\r\n${NEXT}`, "GET /x a ", "GET /next a "),
  taken("the transfer encoding in capitals", `${post("TRANSFER-ENCODING: CHUNKED")}0\r\n\r\n`, "POST /x a "),
  taken("blanks around values", get("X-A: \t 1 \t "), "GET /x a "),
  taken("an empty value", get("X-A:"), "GET /x a "),
  taken("bytes above ASCII in a value", get("X-A: \x85b\xa0"), "GET /x a "),
  taken("OPTIONS for the server itself", head("OPTIONS * HTTP/1.1", HOST), "OPTIONS * a "),
  taken("a method that is rarely seen", head("PROPFIND /x HTTP/1.1", HOST), "PROPFIND /x a "),
  taken("the address with a port", head("GET /x HTTP/1.1", "Host: a:8080"), "GET /x a:8080 "),
  taken("an address of version 6", head("GET /x HTTP/1.1", "Host: [::1]:8080"), "GET /x [::1]:8080 "),
  taken("a host in capitals", head("GET /x HTTP/1.1", "Host: EXAMPLE.com"), "GET /x example.com "),
  { name: "the last request says so", bytes: get("Connection: close") + NEXT, seen: ["GET /x a "], outcome: "closed" },
  {
    name: "HTTP/1.0 has one request",
    bytes: head("GET /x HTTP/1.0", HOST) + NEXT,
    seen: ["GET /x a "],
    outcome: "closed",
  },
  taken("HTTP/1.0 that wants to stay", head("GET /x HTTP/1.0", HOST, "Connection: keep-alive"), "GET /x a "),
  taken("a field with an underscore is not passed on", get("Content_Length: 5"), "GET /x a "),
];

const LENGTH_AND_CHUNKS: readonly RequestCase[] = [
  refused("CL.TE", `${post("Content-Length: 6", "Transfer-Encoding: chunked")}0\r\n\r\nG`),
  refused("TE.CL", `${post("Transfer-Encoding: chunked", "Content-Length: 4")}5c\r\nGPOST / HTTP/1.1\r\n\r\n0\r\n\r\n`),
  refused("a length of nothing beside chunks", `${post("Content-Length: 0", "Transfer-Encoding: chunked")}0\r\n\r\n`),
  refused("two lengths that differ", `${post("Content-Length: 3", "Content-Length: 4")}abcd`),
  refused("two lengths that agree", `${post("Content-Length: 3", "Content-Length: 3")}abc`),
  refused("two lengths in different capitals", post("Content-Length: 0", "content-length: 30")),
  refused("a list of lengths", `${post("Content-Length: 3, 3")}abc`),
  refused("a list of lengths that differ", `${post("Content-Length: 3,5")}abc`),
  refused("a length with a plus", `${post("Content-Length: +3")}abc`),
  refused("a length with a minus", post("Content-Length: -1")),
  refused("a length of minus nothing", post("Content-Length: -0")),
  refused("a length of base 16", `${post("Content-Length: 0x3")}abc`),
  refused("a length with a point", `${post("Content-Length: 3.0")}abc`),
  refused("a length with an exponent", `${post("Content-Length: 1e1")}0123456789`),
  refused("a length with a blank inside", `${post("Content-Length: 1 0")}0123456789`),
  refused("a length with an underscore inside", `${post("Content-Length: 1_0")}0123456789`),
  refused("a length in quotes", `${post('Content-Length: "3"')}abc`),
  refused("a length of other digits", `${post("Content-Length: \xb3")}abc`),
  refused("no length at all", post("Content-Length:")),
  refused("a length that no number holds", post("Content-Length: 99999999999999999999")),
  refused("a length of 2^64 and 3", `${post("Content-Length: 18446744073709551619")}abc`),
  refused("a length behind a line feed", `${post("X: y\nContent-Length: 3")}abc`),
  refused("a length behind a carriage return", `${post("X: y\rContent-Length: 3")}abc`),
  refused("a length before a NUL", `${post("Content-Length: 3\0")}abc`),
  refused("a length before a vertical tab", `${post("Content-Length: 3\x0b")}abc`),
  {
    name: "CL.0: what is behind the body is a request of its own",
    bytes: `${post("Content-Length: 0")}${NEXT}`,
    seen: ["POST /x a ", "GET /next a "],
    outcome: "open",
  },
  {
    name: "0.CL: nothing says that there is a body",
    bytes: `${post()}${NEXT}`,
    seen: ["POST /x a ", "GET /next a "],
    outcome: "open",
  },
  { name: "a body that is not whole", bytes: `${post("Content-Length: 5")}abc`, seen: [], outcome: "waiting" },
];

const te = (value: string): string => `${post(`Transfer-Encoding:${value}`)}0\r\n\r\n`;

const TRANSFER_ENCODINGS: readonly RequestCase[] = [
  refused("a comma before chunked", te(" ,chunked")),
  refused("a comma behind chunked", te(" chunked,")),
  refused("chunked twice in a list", te(" chunked, chunked"), 501),
  refused("chunked twice", `${post("Transfer-Encoding: chunked", "Transfer-Encoding: chunked")}0\r\n\r\n`),
  refused("chunked and identity", `${post("Transfer-Encoding: chunked", "Transfer-Encoding: identity")}0\r\n\r\n`),
  refused("identity and chunked", `${post("Transfer-Encoding: identity", "Transfer-Encoding: chunked")}0\r\n\r\n`, 501),
  refused("identity", te(" identity"), 501),
  refused("gzip and chunked", te(" gzip, chunked"), 501),
  refused("chunked, then gzip", te(" chunked, gzip"), 501),
  refused("something like chunked", te(" xchunked"), 501),
  refused("chunked with a parameter", te(" chunked;q=1")),
  refused("chunked in quotes", te(' "chunked"')),
  refused("chunked before a vertical tab", te(" chunked\x0b")),
  refused("chunked behind a vertical tab", te(" \x0bchunked")),
  refused("chunked before a form feed", te(" chunked\x0c")),
  refused("chunked before a byte that some take for a blank", te(" chunked\xa0")),
  refused("chunked behind a byte that some take for a blank", te("\xa0chunked")),
  refused("chunked before a next-line byte", te(" chunked\x85")),
  refused("chunked before a NUL", te(" chunked\0")),
  refused("no encoding at all", te("")),
  refused("chunked on a folded line", te("\r\n chunked")),
  refused("chunked on a line folded by a tab", te("\r\n\tchunked")),
  refused("a blank before the colon", `${post("Transfer-Encoding : chunked")}0\r\n\r\n`),
  refused("a tab before the colon", `${post("Transfer-Encoding\t: chunked")}0\r\n\r\n`),
  refused("a blank before the name", `${post(" Transfer-Encoding: chunked")}0\r\n\r\n`),
  refused("a NUL in the name", `${post("Transfer-Encoding\0: chunked")}0\r\n\r\n`),
  refused("a blank in the name", `${post("Transfer Encoding: chunked")}0\r\n\r\n`),
  refused("a carriage return before the name", `${post("X: y\r\rTransfer-Encoding: chunked")}0\r\n\r\n`),
  refused("a line feed before the name", `${post("X: y\n\nTransfer-Encoding: chunked")}0\r\n\r\n`),
  refused("chunks in HTTP/1.0", `${head("POST /x HTTP/1.0", HOST, "Transfer-Encoding: chunked")}0\r\n\r\n`),
  refused(
    "chunks in HTTP/1.0 that wants to stay",
    `${head("POST /x HTTP/1.0", HOST, "Connection: keep-alive", "Transfer-Encoding: chunked")}0\r\n\r\n`,
  ),
  taken(
    "the field named by Connection frames all the same",
    `${post("Connection: transfer-encoding", "Transfer-Encoding: chunked")}1\r\na\r\n0\r\n\r\n`,
    "POST /x a a",
  ),
  taken(
    "the length named by Connection frames all the same",
    `${post("Connection: content-length", "Content-Length: 1")}a`,
    "POST /x a a",
  ),
  taken("a name that only looks like it", `${post("Transfer-Encodin: chunked", "Content-Length: 1")}a`, "POST /x a a"),
];

const chunks = (text: string): string => `${post("Transfer-Encoding: chunked")}${text}`;

const CHUNKS: readonly RequestCase[] = [
  refused("a size with a prefix of base 16", chunks("0x1\r\na\r\n0\r\n\r\n")),
  refused("a size with a plus", chunks("+1\r\na\r\n0\r\n\r\n")),
  refused("a size with a minus", chunks("-1\r\na\r\n0\r\n\r\n")),
  refused("a size behind a blank", chunks(" 1\r\na\r\n0\r\n\r\n")),
  refused("a size before a blank", chunks("1 \r\na\r\n0\r\n\r\n")),
  refused("a size before a tab", chunks("1\t\r\na\r\n0\r\n\r\n")),
  refused("a size with an underscore", chunks("1_0\r\n0123456789abcdef\r\n0\r\n\r\n")),
  refused("a size that is none", chunks("\r\na\r\n0\r\n\r\n")),
  refused("a size that is an extension only", chunks(";a\r\n0\r\n\r\n")),
  refused("a size of other letters", chunks("g\r\na\r\n0\r\n\r\n")),
  refused("a size of 2^64 and 1", chunks("10000000000000001\r\na\r\n0\r\n\r\n")),
  refused("a size of more digits than any", chunks(`${"f".repeat(16)}\r\na\r\n0\r\n\r\n`)),
  refused("endless zeros", chunks(`${"0".repeat(64)}1\r\na\r\n0\r\n\r\n`)),
  refused("a size that ends in a line feed", chunks("1\na\r\n0\r\n\r\n")),
  refused("a size that ends in a carriage return", chunks("1\ra\r\n0\r\n\r\n")),
  refused("a size that ends in CR CR LF", chunks("1\r\r\na\r\n0\r\n\r\n")),
  refused("a chunk that ends in a line feed", chunks("1\r\na\n0\r\n\r\n")),
  refused("a chunk that ends in a carriage return", chunks("1\r\na\r0\r\n\r\n")),
  refused("a chunk that is longer than it says", chunks("1\r\nab\r\n0\r\n\r\n")),
  refused("a chunk that is shorter than it says", chunks("4\r\nab\r\n0\r\n\r\n")),
  refused("no end of a chunk", chunks("1\r\na0\r\n\r\n")),
  refused("two ends of a chunk", chunks("1\r\na\r\n\r\n0\r\n\r\n")),
  refused("a line feed in an extension", chunks("1;a\nb\r\na\r\n0\r\n\r\n")),
  refused("a carriage return in an extension", chunks("1;a\rb\r\na\r\n0\r\n\r\n")),
  refused("a NUL in an extension", chunks("1;a\0b\r\na\r\n0\r\n\r\n")),
  refused("a line feed in a quoted extension", chunks('1;a="\n"\r\na\r\n0\r\n\r\n')),
  refused("an extension without end", chunks(`1;${"a".repeat(20_000)}`), 413),
  refused("many extensions that are long together", chunks(`1;${"a".repeat(1000)}\r\na\r\n`.repeat(10)), 413),
  refused("a last chunk that ends in line feeds", chunks("0\n\n")),
  refused("a last chunk without its empty line", chunks(`0\r\n${NEXT.replace("\r\n", "\n")}`)),
  refused("CR and something else behind the last chunk", chunks("0\r\n\rX")),
  refused("the next request for trailers", chunks(`0\r\n${NEXT}`)),
  refused("trailers without a colon", chunks("0\r\nX\r\n\r\n")),
  refused("a blank before the colon of a trailer", chunks("0\r\nX : y\r\n\r\n")),
  refused("a folded trailer", chunks("0\r\nX: y\r\n z\r\n\r\n")),
  refused("a line feed in a trailer", chunks("0\r\nX: y\nZ: z\r\n\r\n")),
  refused("trailers that are too long", chunks(`0\r\nX: ${"y".repeat(20_000)}\r\n\r\n`), 431),
  refused("too many trailers", chunks(`0\r\n${"X: y\r\n".repeat(101)}\r\n`), 431),
  taken(
    "a length among the trailers says nothing",
    `${chunks("1\r\na\r\n0\r\nContent-Length: 100\r\n\r\n")}${NEXT}`,
    "POST /x a a",
    "GET /next a ",
  ),
  taken("a host among the trailers says nothing", chunks("1\r\na\r\n0\r\nHost: b\r\n\r\n"), "POST /x a a"),
  {
    name: "NULs behind the end are no request",
    bytes: chunks("1\r\na\r\n0\r\n\r\n\0"),
    seen: ["POST /x a a"],
    outcome: 400,
  },
  { name: "chunks without a last one", bytes: chunks("1\r\na\r\n"), seen: [], outcome: "waiting" },
];

const LINES: readonly RequestCase[] = [
  refused("lines that end in line feeds", "GET /x HTTP/1.1\nHost: a\n\n"),
  refused("a first line that ends in a line feed", "GET /x HTTP/1.1\nHost: a\r\n\r\n"),
  refused("a field that ends in a line feed", "GET /x HTTP/1.1\r\nHost: a\nX: y\r\n\r\n"),
  refused("an empty line that is a line feed", "GET /x HTTP/1.1\r\nHost: a\r\n\n"),
  refused("a carriage return in a field", get("X: a\rb")),
  refused("a field that ends in CR CR LF", get("X: a\r")),
  refused("a head that ends in CR LF CR and something else", "GET /x HTTP/1.1\r\nHost: a\r\n\rX: y\r\n\r\n"),
  refused("a head that ends in CR CR", "GET /x HTTP/1.1\r\nHost: a\r\n\r\r\n\r\n"),
  refused("a NUL in a value", get("X: a\0b")),
  refused("a NUL in a name", get("X\0: a")),
  refused("an escape in a value", get("X: a\x1bb")),
  refused("a DEL in a value", get("X: a\x7f")),
  refused("a folded value", get("X: a", " b")),
  refused("a value folded by a tab", get("X: a", "\tb")),
  refused("a folded value before any field", head("GET /x HTTP/1.1", " X: y", HOST)),
  refused("a folded host", head("GET /x HTTP/1.1", "Host:", " a")),
  refused("no name", get(": a")),
  refused("no colon", get("X")),
  refused("a blank before the colon", get("X : a")),
  refused("a blank in a name", get("X Y: a")),
  refused("a name with a slash", get("X/Y: a")),
  refused("a name with brackets", get("X[0]: a")),
  refused("a name above ASCII", get("X\xe9: a")),
  refused("a name in quotes", get('"X": a')),
  refused("two empty lines before the request", `\r\n\r\n${get()}`),
  refused("a line feed before the request", `\n${get()}`),
  refused("a blank before the request", ` ${get()}`),
  refused("a carriage return before the request", `\r${get()}`),
  refused("no fields at all", "GET /x HTTP/1.1\r\n\r\n"),
  refused("more fields than allowed", get(...Array.from({ length: 101 }, (_, at) => `X-${at}: y`)), 431),
  refused("a head that is too long", get(`X: ${"y".repeat(17_000)}`), 431),
  refused("a head without end", `GET /x HTTP/1.1\r\nX: ${"y".repeat(17_000)}`, 431),
  refused("a target that is too long", head(`GET /${"x".repeat(8200)} HTTP/1.1`, HOST), 414),
  refused("a target without end", `GET /${"x".repeat(9000)}`, 414),
  { name: "a head that is not whole", bytes: "GET /x HTTP/1.1\r\nHost: a\r\n", seen: [], outcome: "waiting" },
];

const first = (line: string): string => head(line, HOST);

const FIRST_LINES: readonly RequestCase[] = [
  refused("no version", first("GET /x")),
  refused("no target", first("GET HTTP/1.1")),
  refused("two blanks before the target", first("GET  /x HTTP/1.1")),
  refused("two blanks before the version", first("GET /x  HTTP/1.1")),
  refused("a blank behind the version", first("GET /x HTTP/1.1 ")),
  refused("a tab instead of a blank", first("GET\t/x\tHTTP/1.1")),
  refused("a blank in the target", first("GET /x y HTTP/1.1")),
  refused("a second version", first("GET /x HTTP/1.1 HTTP/1.1")),
  refused("a vertical tab instead of a blank", first("GET /x\x0bHTTP/1.1")),
  refused("a carriage return instead of a blank", first("GET /x\rHTTP/1.1")),
  refused("a method that is no token", first("G(T /x HTTP/1.1")),
  refused("a method with a colon", first("GET: /x HTTP/1.1")),
  refused("no method", first("/x HTTP/1.1")),
  refused("a version in small letters", first("GET /x http/1.1")),
  refused("a version of three numbers", first("GET /x HTTP/1.1.1")),
  refused("a version with a comma", first("GET /x HTTP/1,1")),
  refused("a version with two digits", first("GET /x HTTP/1.10")),
  refused("a version with a leading zero", first("GET /x HTTP/01.1")),
  refused("a version with a sign", first("GET /x HTTP/+1.1")),
  refused("HTTP/0.9", first("GET /x HTTP/0.9"), 505),
  refused("HTTP/1.2", first("GET /x HTTP/1.2"), 505),
  refused("HTTP/2.0", first("GET /x HTTP/2.0"), 505),
  refused("the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
  refused("another protocol", first("GET /x FTP/1.1")),
  refused("an answer", head("HTTP/1.1 200 OK", HOST)),
  refused("TLS", "\x16\x03\x01\0\xf1\x01\0\0\xed\x03\x03"),
];

const TARGETS: readonly RequestCase[] = [
  taken("the absolute form", head("GET http://a/y?z HTTP/1.1", HOST), "GET /y?z a "),
  taken("the absolute form without a path", head("GET http://a HTTP/1.1", HOST), "GET / a "),
  taken("the absolute form without a path, with a query", head("GET http://a?z HTTP/1.1", HOST), "GET /?z a "),
  taken("the absolute form names another host: its word counts", head("GET http://b/y HTTP/1.1", HOST), "GET /y b "),
  refused("the absolute form with a user", head("GET http://u@a/y HTTP/1.1", HOST)),
  refused("the absolute form without a host", head("GET http:///y HTTP/1.1", HOST)),
  refused("the absolute form of something else", head("GET ftp://a/y HTTP/1.1", HOST)),
  refused("the absolute form without a Host", head("GET http://a/y HTTP/1.1", "X: y")),
  refused("a target without a slash", first("GET x HTTP/1.1")),
  refused("the asterisk for GET", first("GET * HTTP/1.1")),
  refused("CONNECT", head("CONNECT a:443 HTTP/1.1", "Host: a:443"), 501),
  refused("CONNECT with a path", first("CONNECT /x HTTP/1.1"), 501),
  refused("a fragment", first("GET /x#y HTTP/1.1")),
  refused("a backslash", first("GET /x\\y HTTP/1.1")),
  refused("an escaped slash", first("GET /x%2fy HTTP/1.1")),
  refused("an escaped backslash", first("GET /x%5Cy HTTP/1.1")),
  refused("an escaped NUL", first("GET /x%00 HTTP/1.1")),
  refused("an escape that is none", first("GET /x%2 HTTP/1.1")),
  refused("bytes above ASCII", first("GET /\xe9 HTTP/1.1")),
  refused("a NUL", first("GET /x\0 HTTP/1.1")),
  taken("dot segments", first("GET /a/../b/./c HTTP/1.1"), "GET /b/c a "),
  taken("escaped dot segments", first("GET /a/%2e%2E/b HTTP/1.1"), "GET /b a "),
  taken("dot segments above the root", first("GET /../../etc HTTP/1.1"), "GET /etc a "),
  taken("escaped line ends stay escaped", first("GET /x%0d%0aX:y HTTP/1.1"), "GET /x%0D%0AX:y a "),
  taken("a query stays as it is", first("GET /x?a=%2f..\\%0d HTTP/1.1"), "GET /x?a=%2f..\\%0d a "),
];

const HOSTS: readonly RequestCase[] = [
  refused("two hosts", get("Host: b")),
  refused("two hosts that agree", get("Host: a")),
  refused("two hosts in different capitals", get("hOST: a")),
  refused("no host", head("GET /x HTTP/1.1", "X: y")),
  refused("no host in HTTP/1.0", head("GET /x HTTP/1.0", "X: y")),
  refused("an empty host", head("GET /x HTTP/1.1", "Host:")),
  refused("a list of hosts", head("GET /x HTTP/1.1", "Host: a, b")),
  refused("a host with a blank", head("GET /x HTTP/1.1", "Host: a b")),
  refused("a host with a path", head("GET /x HTTP/1.1", "Host: a/b")),
  refused("a host with a user", head("GET /x HTTP/1.1", "Host: b@a")),
  refused("a host with a query", head("GET /x HTTP/1.1", "Host: a?b")),
  refused("a host with an escape", head("GET /x HTTP/1.1", "Host: a%00")),
  refused("a host with a scheme", head("GET /x HTTP/1.1", "Host: http://a")),
  refused("a host above ASCII", head("GET /x HTTP/1.1", "Host: \xe9")),
  refused("a port that is none", head("GET /x HTTP/1.1", "Host: a:b")),
  refused("an empty port", head("GET /x HTTP/1.1", "Host: a:")),
  refused("a port that is too large", head("GET /x HTTP/1.1", "Host: a:65536")),
  refused("two ports", head("GET /x HTTP/1.1", "Host: a:1:2")),
  refused("half an address of version 6", head("GET /x HTTP/1.1", "Host: [::1")),
];

const OTHERS: readonly RequestCase[] = [
  refused("an expectation that nobody knows", post("Expect: 200-maybe", "Content-Length: 0"), 417),
  taken(
    "an upgrade that nobody answers with 101",
    get("Connection: upgrade", "Upgrade: websocket") + NEXT,
    "GET /x a ",
    "GET /next a ",
  ),
  taken(
    "an upgrade to plain HTTP/2 is not passed on",
    get("Connection: upgrade, http2-settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA") + NEXT,
    "GET /x a ",
    "GET /next a ",
  ),
  taken(
    "an upgrade with a body is none",
    `${post("Connection: upgrade", "Upgrade: websocket", "Content-Length: 1")}a${NEXT}`,
    "POST /x a a",
    "GET /next a ",
  ),
];

/** Everything that a client can do to make two servers read two things. */
export const REQUEST_CASES: readonly RequestCase[] = [
  ...ORDINARY,
  ...LENGTH_AND_CHUNKS,
  ...TRANSFER_ENCODINGS,
  ...CHUNKS,
  ...LINES,
  ...FIRST_LINES,
  ...TARGETS,
  ...HOSTS,
  ...OTHERS,
];
