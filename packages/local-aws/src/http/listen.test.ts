import assert from "node:assert/strict";
import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { test } from "node:test";
import { ManualClock, seededRandom, systemClock } from "@gatewright/ports";
import { signRequest } from "@gatewright/aws-wire";
import { planFaults } from "../faults.ts";
import { sampleServices } from "../testing/sample-services.ts";
import { createLocalAws } from "./local-aws.ts";
import { listen } from "./listen.ts";
import type { Listening } from "./listen.ts";

const faults = planFaults([{ when: ({ operation }) => operation === "DescribeCertificate", fault: { kind: "drop" } }]);

async function serving(use: (url: URL, listening: Listening) => Promise<void>): Promise<void> {
  const { services } = sampleServices();
  const aws = await createLocalAws({
    world: { clock: systemClock, random: seededRandom() },
    services,
    faults,
    onFault: (error) => assert.fail(String(error)),
  });
  const listening = await aws.listen({ port: 0 });
  try {
    await use(new URL(listening.url), listening);
  } finally {
    await listening.close();
  }
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

function send(
  url: URL,
  service: string,
  call: { method: string; path: string; headers?: Record<string, string>; body?: Buffer; unsigned?: boolean },
): Promise<Answer> {
  const { method, path, body = Buffer.alloc(0) } = call;
  const base = { host: url.host, ...call.headers };
  const credentials = { accessKeyId: "test", secretAccessKey: "test" };
  const headers = call.unsigned
    ? base
    : signRequest({
        method,
        path,
        headers: base,
        body,
        credentials,
        region: "eu-west-1",
        service,
        now: systemClock.now(),
      });
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { host: url.hostname, port: url.port, method, path, headers, agent: false },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks).toString(),
          }),
        );
        response.on("error", reject);
      },
    );
    request.on("error", reject);
    if (call.headers?.["expect"] === undefined) request.end(body);
    else request.on("continue", () => request.end(body));
  });
}

test("objects go in and out, HEAD tells their size and has no body", async () => {
  await serving(async (url) => {
    assert.equal((await send(url, "s3", { method: "PUT", path: "/b/k", body: Buffer.from("hello") })).status, 200);
    assert.equal((await send(url, "s3", { method: "GET", path: "/b/k" })).body, "hello");
    const head = await send(url, "s3", { method: "HEAD", path: "/b/k" });
    assert.equal(head.headers["content-length"], "5");
    assert.equal(head.body, "");
    const missing = await send(url, "s3", { method: "HEAD", path: "/b/other" });
    assert.equal(missing.status, 404);
    assert.equal(missing.body, "");
  });
});

test("a client that waits for leave to send its body gets it", async () => {
  await serving(async (url) => {
    const headers = { expect: "100-continue", "content-length": "5" };
    assert.equal(
      (await send(url, "s3", { method: "PUT", path: "/b/k", headers, body: Buffer.from("hello") })).status,
      200,
    );
  });
});

test("a body that is too large is refused in the words of its service", async () => {
  await serving(async (url) => {
    const headers = {
      "x-amz-target": "CertificateManager.RequestCertificate",
      "content-type": "application/x-amz-json-1.1",
    };
    const body = Buffer.alloc(8 * 1024 * 1024 + 1, 32);
    const { status, body: text } = await send(url, "acm", { method: "POST", path: "/", headers, body });
    assert.equal(status, 413);
    assert.match(text, /RequestEntityTooLargeException/);
  });
});

test("a dropped call ends the connection without an answer", async () => {
  await serving(async (url) => {
    const headers = {
      "x-amz-target": "CertificateManager.DescribeCertificate",
      "content-type": "application/x-amz-json-1.1",
    };
    const body = Buffer.from('{"CertificateArn":"arn:aws:acm:eu-west-1:000000000000:certificate/1"}');
    await assert.rejects(send(url, "acm", { method: "POST", path: "/", headers, body }), { code: "ECONNRESET" });
  });
});

test("rubbish on the socket and clients that leave harm nobody", async () => {
  await serving(async (url) => {
    for (const bytes of [
      "\0\0\0\r\n\r\n",
      "GET /\r\n\r\n",
      "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 99\r\n\r\nhalf",
    ]) {
      await new Promise<void>((resolve) => {
        const socket = connect(Number(url.port), url.hostname, () => socket.end(bytes));
        socket.on("error", () => {});
        socket.resume().on("close", () => resolve());
      });
    }
    assert.equal((await send(url, "", { method: "GET", path: "/_health", unsigned: true })).status, 200);
  });
});

test("a client that keeps its connection does not hold up the end", async () => {
  await serving(async (url, listening) => {
    const socket = connect(Number(url.port), url.hostname);
    socket.write("GET /_health HTTP/1.1\r\nhost: localhost\r\n\r\n");
    await new Promise((resolve) => socket.once("data", resolve));
    const ended = new Promise((resolve) => socket.once("close", resolve));
    await listening.close();
    await ended;
  });
});

test("only loopback addresses are served", async () => {
  const aws = await createLocalAws({
    world: { clock: systemClock, random: seededRandom() },
    services: [],
    onFault: () => {},
  });
  await assert.rejects(aws.listen({ host: "0.0.0.0", port: 0 }), /loopback/);
});

test("answers say what time it is in this AWS, whatever it is on the machine", async () => {
  const clock = new ManualClock();
  const world = { clock, random: seededRandom() };
  const aws = await createLocalAws({ world, services: sampleServices().services, onFault: assert.fail });
  const listening = await aws.listen({ port: 0 });
  try {
    const { headers } = await fetch(`${listening.url}/_health`);
    assert.equal(headers.get("date"), new Date(clock.now()).toUTCString());
  } finally {
    await listening.close();
  }
});

test("an answer with a header that cannot be written becomes a 500, and the connection serves on", async () => {
  const faults: unknown[] = [];
  const body = Buffer.from("hello");
  const listening = await listen(
    async ({ path }) => ({ status: 200, headers: { "x-said": path === "/bad" ? "a\r\nb" : "a" }, body }),
    {
      port: 0,
      bodyLimit: () => 10,
      tooLarge: () => assert.fail(),
      now: () => 0,
      onFault: (error) => void faults.push(error),
    },
  );
  try {
    const url = new URL(listening.url);
    const bad = await send(url, "s3", { method: "GET", path: "/bad", unsigned: true });
    assert.deepEqual([bad.status, bad.body, faults.length], [500, "", 1]);
    const good = await send(url, "s3", { method: "GET", path: "/good", unsigned: true });
    assert.deepEqual([good.status, good.body, faults.length], [200, "hello", 1]);
  } finally {
    await listening.close();
  }
});
