import assert from "node:assert/strict";
import { connect as connectHttp2 } from "node:http2";
import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { ManualClock, nextTurn, seededRandom, systemClock } from "@gatewright/ports";
import type { Clock } from "@gatewright/ports";
import { Fields } from "../exchange/fields.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { localAnswer } from "../exchange/local-answer.ts";
import { Listeners } from "./listeners.ts";
import type { ListenerSettings } from "./listener-settings.ts";

const LOCAL = "127.0.0.1";
const never = new AbortController().signal;

interface Bench {
  readonly listeners: Listeners;
  readonly refused: string[];
  readonly portOf: (name: string) => number;
}

function answerWho(exchange: Exchange): void {
  const { head, client, listener } = exchange;
  exchange.body?.cancel();
  void exchange.send(localAnswer(200, "test", `${listener} ${head.version} ${client.address} ${head.target}`));
}

function bench(t: TestContext, handle = answerWho, clock: Clock = systemClock): Bench {
  const refused: string[] = [];
  const listeners = new Listeners({
    clock,
    random: seededRandom(1),
    handle,
    fault: (error) => assert.fail(error),
    refused: (_listener, reason) => refused.push(reason),
  });
  const ended = new AbortController();
  t.after(async () => {
    ended.abort();
    await listeners.close(0, ended.signal);
  });
  const portOf = (name: string): number => listeners.bound.find((one) => one.name === name)?.port ?? 0;
  return { listeners, refused, portOf };
}

/** Writes, and gives what came until the other side closes. */
function talk(port: number, ...pieces: (string | Buffer)[]): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, LOCAL);
    let text = "";
    socket.setEncoding("latin1");
    socket.on("data", (chunk: string) => (text += chunk));
    socket.on("error", () => {});
    socket.on("close", () => resolve(text));
    socket.on("connect", () => {
      void (async () => {
        for (const piece of pieces) {
          socket.write(piece);
          for (let turn = 0; turn < 5; turn++) await nextTurn();
        }
      })();
    });
  });
}

const GET = "GET /x HTTP/1.1\r\nhost: a.test\r\nconnection: close\r\n\r\n";

function http2Text(port: number, path = "/y"): Promise<string> {
  return new Promise((resolve, reject) => {
    const session = connectHttp2(`http://${LOCAL}:${port}`);
    session.on("error", reject);
    const stream = session.request({ ":path": path });
    let text = "";
    stream.setEncoding("utf8");
    stream.on("data", (chunk: string) => (text += chunk));
    stream.on("error", reject);
    stream.on("close", () => {
      session.close();
      resolve(text.trim());
    });
  });
}

test("a plain port takes HTTP/1.1 and HTTP/2, also in pieces", async (t) => {
  const { listeners, portOf } = bench(t);
  assert.deepEqual(await listeners.apply([{ name: "web", address: LOCAL, port: 0 }], never), []);
  const port = portOf("web");
  assert.match(await talk(port, GET), /^HTTP\/1.1 200.*web 1.1 127.0.0.1 \/x\n$/su);
  assert.match(
    await talk(port, "P", "RO", "PFIND / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n"),
    /200.*web 1.1/su,
  );
  assert.equal(await http2Text(port), "web 2 127.0.0.1 /y");
});

test("a protocol that is not offered is not spoken", async (t) => {
  const { listeners, portOf, refused } = bench(t);
  await listeners.apply([{ name: "web", address: LOCAL, port: 0, protocols: ["http1"] }], never);
  assert.equal(await http2Text(portOf("web")).catch(() => ""), "");
  assert.deepEqual(refused, ["protocol_not_offered"]);
});

test("a port that is taken is an error that says what to do, and the others go on", async (t) => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, LOCAL, resolve));
  t.after(() => other.close());
  const { port } = other.address() as AddressInfo;
  const { listeners, portOf } = bench(t);
  const failures = await listeners.apply(
    [
      { name: "taken", address: LOCAL, port },
      { name: "web", address: LOCAL, port: 0 },
      { name: "again", address: LOCAL, port },
      { name: "elsewhere", address: "192.0.2.1", port: 0 },
    ],
    never,
  );
  assert.deepEqual(
    failures.map(({ code, listener, isRetryable }) => [code, listener, isRetryable]),
    [
      ["settings", "again", false],
      ["port_taken", "taken", true],
      ["no_such_address", "elsewhere", true],
    ],
  );
  assert.match(failures[1]?.message ?? "", new RegExp(`port ${port} is taken.*another port`, "u"));
  assert.match(await talk(portOf("web"), GET), /200/u);
});

test("settings that change the port are bound before the old port is left, and what is under way there is answered", async (t) => {
  const waiting: Exchange[] = [];
  const { listeners, portOf } = bench(t, (exchange) => {
    if (exchange.head.target === "/slow") waiting.push(exchange);
    else answerWho(exchange);
  });
  await listeners.apply([{ name: "one", address: LOCAL, port: 0 }], never);
  const old = portOf("one");
  const slow = talk(old, "GET /slow HTTP/1.1\r\nhost: a\r\n\r\n");
  while (waiting.length === 0) await nextTurn();
  await listeners.apply([{ name: "two", address: LOCAL, port: 0 }], never);
  assert.deepEqual(
    listeners.bound.map(({ name }) => name),
    ["two"],
  );
  assert.equal(await talk(old, GET), "");
  assert.match(await talk(portOf("two"), GET), /two 1.1/u);
  answerWho(waiting[0]!);
  assert.match(await slow, /one 1.1.*\/slow/su);
});

test("a port stays bound when other settings of its listener change, its name included", async (t) => {
  const { listeners, portOf } = bench(t);
  await listeners.apply([{ name: "web", address: LOCAL, port: 0 }], never);
  const port = portOf("web");
  await listeners.apply([], never);
  const fixed: ListenerSettings = { name: "web", address: LOCAL, port };
  assert.deepEqual(await listeners.apply([fixed], never), []);
  const socket = connect(port, LOCAL);
  await new Promise((resolve) => socket.once("connect", resolve));
  assert.deepEqual(await listeners.apply([{ ...fixed, name: "renamed", mergeSlashes: true }], never), []);
  assert.match(
    await talk(port, "GET //x//y HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n"),
    /renamed 1.1 .* \/x\/y/u,
  );
  const all = await listeners.apply([{ name: "all", address: "0.0.0.0", port }], never);
  assert.deepEqual(all, []);
  assert.match(await talk(port, GET), /all 1.1/u);
  socket.destroy();
});

test("a trusted proxy says who connects; others do not, and no header from a trusted one is refused", async (t) => {
  const { listeners, portOf, refused } = bench(t);
  const trusting: ListenerSettings = {
    name: "in",
    address: LOCAL,
    port: 0,
    proxyProtocol: { trusted: ["127.0.0.0/8"] },
  };
  const wary: ListenerSettings = { ...trusting, name: "wary", proxyProtocol: { trusted: ["10.0.0.0/8"] } };
  assert.deepEqual(await listeners.apply([trusting, wary], never), []);
  const line = "PROXY TCP4 203.0.113.9 127.0.0.1 1000 80\r\n";
  assert.match(await talk(portOf("in"), line + GET), /in 1.1 203.0.113.9/u);
  assert.match(await talk(portOf("in"), line.slice(0, 9), line.slice(9), GET), /in 1.1 203.0.113.9/u);
  assert.equal(await talk(portOf("in"), GET), "");
  assert.match(await talk(portOf("wary"), line + GET), /^HTTP\/1.1 400/u);
  assert.match(await talk(portOf("wary"), GET), /wary 1.1 127.0.0.1/u);
  assert.deepEqual(refused.slice(0, 1), ["bad_proxy_header"]);
  const failures = await listeners.apply([{ ...trusting, name: "bad", proxyProtocol: { trusted: ["x/8"] } }], never);
  assert.match(failures[0]?.message ?? "", /x\/8 is neither/u);
});

test("connections are limited in total and of each address", async (t) => {
  const { listeners, portOf, refused } = bench(t);
  const trusted = { trusted: [LOCAL] };
  await listeners.apply(
    [{ name: "in", address: LOCAL, port: 0, maxConnections: 3, maxConnectionsPerAddress: 1, proxyProtocol: trusted }],
    never,
  );
  const port = portOf("in");
  const held: Socket[] = [];
  t.after(() => held.forEach((socket) => socket.destroy()));
  const hold = async (address: string): Promise<void> => {
    const socket = connect(port, LOCAL);
    held.push(socket);
    socket.on("error", () => {});
    socket.write(`PROXY TCP4 ${address} 127.0.0.1 1000 80\r\nGET /`);
    const before = listeners.bound[0]!.connections;
    while (listeners.bound[0]!.connections === before && refused.length === 0) await nextTurn();
    for (let turn = 0; turn < 20; turn++) await nextTurn();
  };
  await hold("10.0.0.1");
  await hold("10.0.0.1");
  assert.deepEqual(refused, ["too_many_connections_of_address"]);
  refused.length = 0;
  await hold("10.0.0.2");
  await hold("10.0.0.3");
  assert.deepEqual(refused, []);
  await hold("10.0.0.4");
  assert.deepEqual(refused, ["too_many_connections"]);
});

test("who says nothing is let go when its time is up", async (t) => {
  const clock = new ManualClock();
  const { listeners, portOf, refused } = bench(t, answerWho, clock);
  await listeners.apply([{ name: "in", address: LOCAL, port: 0, handshakeMs: 1000 }], never);
  const text = talk(portOf("in"), "PRI * HT");
  while (listeners.bound[0]!.connections === 0) await nextTurn();
  for (let turn = 0; turn < 20; turn++) await nextTurn();
  clock.advance(1000);
  assert.equal(await text, "");
  assert.deepEqual(refused, ["handshake_timeout"]);
});

test("closing waits for what is under way, and ends the rest when the time is up", async (t) => {
  const clock = new ManualClock();
  const waiting: Exchange[] = [];
  const { listeners, portOf } = bench(t, (exchange) => waiting.push(exchange), clock);
  await listeners.apply([{ name: "in", address: LOCAL, port: 0 }], never);
  const first = talk(portOf("in"), "GET /1 HTTP/1.1\r\nhost: a\r\n\r\n");
  const second = talk(portOf("in"), "GET /2 HTTP/1.1\r\nhost: a\r\n\r\n");
  while (waiting.length < 2) await nextTurn();
  const closed = listeners.close(5000, never);
  await nextTurn();
  const one = waiting.find(({ head }) => head.target === "/1");
  void one?.send({ status: 200, fields: new Fields(), body: undefined });
  assert.match(await first, /^HTTP\/1.1 200.*connection: close/isu);
  clock.advance(5000);
  assert.equal(await second, "");
  await closed;
});

test("two processes may share a port when both say so", async (t) => {
  const one = bench(t);
  const two = bench(t);
  await one.listeners.apply([{ name: "in", address: LOCAL, port: 0, reusePort: true }], never);
  const port = one.portOf("in");
  assert.deepEqual(await two.listeners.apply([{ name: "in", address: LOCAL, port, reusePort: true }], never), []);
  assert.match(await talk(port, GET), /200/u);
});
