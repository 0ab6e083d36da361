import assert from "node:assert/strict";
import { once } from "node:events";
import { get as plainGet } from "node:http";
import type { IncomingMessage } from "node:http";
import { get as secureGet } from "node:https";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { createCertificateAuthority } from "@gatewright/apiserver";
import { ManualClock, nextTurn, systemClock, systemRandom } from "@gatewright/ports";
import type { CertificateSource } from "@gatewright/runtime/webhook";
import type { TokenCallers } from "../access/token-callers.ts";
import type { EventApi } from "../create-event-api.ts";
import { createEventServer } from "./create-event-server.ts";
import type { EventServerOptions } from "./create-event-server.ts";

const alice = { username: "alice", groups: [] };

/** Says who asked, and goes on for as long as it may. */
const api: EventApi = {
  streams: 0,
  events: ({ query }, { username }) =>
    Promise.resolve({ status: 200, headers: {}, body: Buffer.from(`${username} ${query}`) }),
  watch: ({ signal }) =>
    Promise.resolve({
      status: 200,
      headers: {},
      body: {
        start(sink) {
          sink.write(Buffer.from("hello"));
          signal.addEventListener("abort", () => sink.end(), { once: true });
          return () => {};
        },
      },
    }),
};

async function serve(options: Partial<EventServerOptions>) {
  const stop = new AbortController();
  const { promise, resolve } = Promise.withResolvers<AddressInfo>();
  const callers: TokenCallers = { callerOf: () => Promise.resolve(alice) };
  const server = createEventServer({
    api,
    callers,
    clock: systemClock,
    port: 0,
    host: "127.0.0.1",
    listening: resolve,
    ...options,
  });
  const running = server.run(stop.signal);
  const { port } = await promise;
  return {
    port,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };
}

const headers = { authorization: "Bearer token" };

async function textOf(message: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of message) text += String(chunk);
  return text;
}

test("serves over TLS, with a new certificate from the next connection on", async () => {
  const authority = await createCertificateAuthority({ clock: systemClock, random: systemRandom });
  const pair = await authority.issueServing(["first.example"]);
  let current = pair;
  let changed = (): void => {};
  const certificates: CertificateSource = {
    current: () => current,
    bundle: () => authority.certificate,
    subscribe(listener) {
      changed = listener;
      return () => {};
    },
    confirm() {},
    run: (signal) => new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true })),
  };
  await using served = await serve({ certificates });
  const ask = async (servername: string): Promise<string> => {
    const options = { headers, servername, ca: authority.certificate, agent: false };
    const request = secureGet(`https://127.0.0.1:${served.port}/events?limit=1`, options);
    const [message] = (await once(request, "response")) as [IncomingMessage];
    return textOf(message);
  };
  assert.equal(await ask("first.example"), "alice limit=1");
  current = await authority.issueServing(["second.example"]);
  changed();
  assert.equal(await ask("second.example"), "alice limit=1");
  await assert.rejects(ask("first.example"));
});

test("a stream ends when its token is no longer good, is somebody else's, or nobody can say", async () => {
  const verdicts = [
    () => Promise.resolve(undefined),
    () => Promise.resolve({ ...alice, username: "mallory" }),
    () => Promise.reject(new Error("the API server is away")),
  ];
  for (const verdict of verdicts) {
    const clock = new ManualClock();
    let asked: TokenCallers["callerOf"] = () => Promise.resolve(alice);
    await using served = await serve({ clock, callers: { callerOf: (token) => asked(token) } });
    const request = plainGet(`http://127.0.0.1:${served.port}/watch`, { headers, agent: false });
    const [message] = (await once(request, "response")) as [IncomingMessage];
    const ended = textOf(message);
    clock.advance(60_000);
    await nextTurn();
    asked = verdict;
    clock.advance(60_000);
    assert.equal(await ended, "hello");
    while (clock.pending > 0) await nextTurn();
  }
});

test("a fault of ours is told as 500 without its text", async () => {
  const broken: EventApi = { ...api, events: () => Promise.reject(new Error("secret inner state")) };
  await using served = await serve({ api: broken });
  const request = plainGet(`http://127.0.0.1:${served.port}/events`, { headers, agent: false });
  const [message] = (await once(request, "response")) as [IncomingMessage];
  assert.equal(message.statusCode, 500);
  assert.ok(!(await textOf(message)).includes("secret"));
});
