import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { RequestListener } from "node:http";
import type { AddressInfo, LookupFunction } from "node:net";
import { test } from "node:test";
import { ManualClock, systemClock } from "@gatewright/ports";
import { OutboundError } from "./fetch-json.ts";
import { nodeFetchJson } from "./node-fetch-json.ts";

const never = new AbortController().signal;
const fetchJson = nodeFetchJson({ clock: systemClock });

async function served<T>(listener: RequestListener, use: (url: string) => Promise<T>): Promise<T> {
  const server = createServer(listener);
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const failsWith = (code: OutboundError["code"]) => (error: unknown) =>
  error instanceof OutboundError && error.code === code;

test("a question is sent by POST with its fields, and the reply is read with how long it may be kept", async () => {
  const reply = await served(
    (request, response) => {
      let body = "";
      request.on("data", (chunk) => (body += String(chunk)));
      request.on("end", () => {
        response.setHeader("cache-control", "public, max-age=300");
        response.end(JSON.stringify({ body, method: request.method, token: request.headers["x-token"] }));
      });
    },
    (url) => fetchJson({ url, body: '{"a":1}', headers: new Map([["x-token", "t"]]), timeoutMs: 5000 }, never),
  );
  assert.deepEqual(reply, {
    status: 200,
    body: { body: '{"a":1}', method: "POST", token: "t" },
    maxAgeSeconds: 300,
  });
});

test("a redirect is not followed, and what is no JSON is told as such", async () => {
  const reply = await served(
    (_request, response) => {
      response.writeHead(302, { location: "http://169.254.169.254/latest/meta-data" });
      response.end("<html>");
    },
    (url) => fetchJson({ url, timeoutMs: 5000 }, never),
  );
  assert.deepEqual(reply, { status: 302, body: undefined, maxAgeSeconds: undefined });
});

test("a reply that is too large breaks off", async () => {
  await served(
    (_request, response) => response.end(`"${"x".repeat(1024 * 1024)}"`),
    async (url) => assert.rejects(fetchJson({ url, timeoutMs: 5000 }, never), failsWith("too_large")),
  );
});

test("a service that does not answer is left when its time is over, or when the caller goes", async () => {
  const clock = new ManualClock();
  const impatient = nodeFetchJson({ clock });
  await served(
    () => clock.advance(1000),
    async (url) => assert.rejects(impatient({ url, timeoutMs: 1000 }, never), failsWith("timeout")),
  );
  const gone = new AbortController();
  await served(
    () => gone.abort(new Error("gone")),
    async (url) => assert.rejects(fetchJson({ url, timeoutMs: 5000 }, gone.signal), /gone/),
  );
  assert.equal(clock.pending, 0);
});

test("a service that switches protocols does not answer", { timeout: 10_000 }, async () => {
  await served(
    ({ socket }) => void socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n"),
    async (url) => assert.rejects(fetchJson({ url, timeoutMs: 5000 }, never), failsWith("unreachable")),
  );
});

test("nothing is sent to link-local and metadata addresses, by number or by name", async () => {
  const urls = [
    "http://169.254.169.254/latest",
    "http://[::ffff:169.254.169.254]/",
    "http://[fe80::1]/",
    "http://2852039166/",
    "http://0xa9fea9fe/",
    "http://[fd00:ec2::254]/",
    "http://0.0.0.0/",
  ];
  for (const url of urls)
    await assert.rejects(fetchJson({ url, timeoutMs: 1000 }, never), failsWith("refused_address"), url);
  const resolve = ((_name: string, _options: unknown, done: (...found: unknown[]) => void) =>
    done(null, [{ address: "169.254.169.254", family: 4 }])) as LookupFunction;
  const tricked = nodeFetchJson({ clock: systemClock, resolve });
  await assert.rejects(
    tricked({ url: "http://issuer.example/", timeoutMs: 1000 }, never),
    failsWith("refused_address"),
  );
});

test("errors name neither the address nor what was sent", async () => {
  const request = { url: "http://secret.invalid/?token=hush", headers: new Map([["x", "hush"]]), timeoutMs: 2000 };
  const resolve = ((_name: string, _options: unknown, done: (...found: unknown[]) => void) =>
    done(new Error("ENOTFOUND secret.invalid"))) as LookupFunction;
  await assert.rejects(nodeFetchJson({ clock: systemClock, resolve })(request, never), (error: Error) => {
    return failsWith("unreachable")(error) && !/hush|secret/.test(error.message);
  });
  await assert.rejects(fetchJson({ url: "file:///etc/passwd", timeoutMs: 1 }, never), failsWith("bad_url"));
});

test("connections are kept, and one that the service closed meanwhile costs no question", async () => {
  const ports = new Set<number | undefined>();
  let questions = 0;
  await served(
    (request, response) => {
      ports.add(request.socket.remotePort);
      questions++;
      // Closed without a word after the second answer: the third question finds that out when it is sent.
      if (questions === 3) request.socket.destroy();
      else response.end("{}");
    },
    async (url) => {
      for (let time = 0; time < 4; time++)
        assert.equal((await fetchJson({ url, body: "{}", timeoutMs: 5000 }, never)).status, 200);
    },
  );
  assert.deepEqual([questions, ports.size], [5, 2]);
});
