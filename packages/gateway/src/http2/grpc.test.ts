import assert from "node:assert/strict";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import type { TestContext } from "node:test";
import * as grpc from "@grpc/grpc-js";
import { seededRandom, systemClock } from "@gatewright/ports";
import { Pipeline } from "../pipeline/pipeline.ts";
import type { CallRecord } from "../pipeline/observer.ts";
import type { CompiledRoute } from "../routes/compiled-route.ts";
import { UpstreamError } from "../upstream/upstream.ts";
import { localAnswer } from "../exchange/local-answer.ts";
import { http2Upstream } from "./http2-upstream.ts";
import { serveHttp2 } from "./serve-http2.ts";
import type { Http2Connection } from "./serve-http2.ts";

/** A service without a schema: messages are bytes. */
const method = (
  path: string,
  requestStream: boolean,
  responseStream: boolean,
): grpc.MethodDefinition<Buffer, Buffer> => ({
  path,
  requestStream,
  responseStream,
  requestSerialize: (bytes) => bytes,
  requestDeserialize: (bytes) => bytes,
  responseSerialize: (bytes) => bytes,
  responseDeserialize: (bytes) => bytes,
});
const SERVICE = {
  unary: method("/test.Echo/Unary", false, false),
  serverStream: method("/test.Echo/ServerStream", false, true),
  clientStream: method("/test.Echo/ClientStream", true, false),
  bidi: method("/test.Echo/Bidi", true, true),
};

interface Seen {
  readonly cancelled: string[];
  readonly deadlines: (number | undefined)[];
}

function implementation(seen: Seen): grpc.UntypedServiceImplementation {
  const unary: grpc.handleUnaryCall<Buffer, Buffer> = (call, callback) => {
    const deadline = call.getDeadline();
    seen.deadlines.push(typeof deadline === "number" && Number.isFinite(deadline) ? deadline : undefined);
    call.on("cancelled", () => seen.cancelled.push("unary"));
    const text = call.request.toString();
    if (text === "hang") return;
    if (text === "fail") {
      const metadata = new grpc.Metadata();
      metadata.set("x-why", "because");
      callback({ code: grpc.status.FAILED_PRECONDITION, details: "no ümlaut please", metadata });
      return;
    }
    const trailers = new grpc.Metadata();
    trailers.set("x-trailer", "t");
    trailers.set("x-some-bin", Buffer.from([0, 255, 10]));
    const header = new grpc.Metadata();
    header.set("x-header", `${String(call.metadata.get("x-asked")[0])}!`);
    call.sendMetadata(header);
    callback(null, call.request, trailers);
  };
  const serverStream: grpc.handleServerStreamingCall<Buffer, Buffer> = (call) => {
    call.on("cancelled", () => seen.cancelled.push("serverStream"));
    if (call.request.toString() === "endless") {
      call.write(Buffer.from("first"));
      return;
    }
    for (let at = 0; at < Number(call.request.toString()); at++) call.write(Buffer.from(`m${at}`));
    call.end();
  };
  const clientStream: grpc.handleClientStreamingCall<Buffer, Buffer> = (call, callback) => {
    let size = 0;
    call.on("data", (bytes: Buffer) => (size += bytes.length));
    call.on("end", () => callback(null, Buffer.from(String(size))));
  };
  const bidi: grpc.handleBidiStreamingCall<Buffer, Buffer> = (call) => {
    call.on("data", (bytes: Buffer) => call.write(bytes));
    call.on("end", () => call.end());
  };
  return { unary, serverStream, clientStream, bidi };
}

interface Bench {
  readonly client: grpc.Client;
  readonly seen: Seen;
  readonly records: CallRecord[];
}

/** A client and a server of gRPC with the gateway between them: its server side, its pipeline, and its way to backends. */
async function bench(t: TestContext, timeoutMs?: number): Promise<Bench> {
  const seen: Seen = { cancelled: [], deadlines: [] };
  const server = new grpc.Server();
  server.addService(SERVICE, implementation(seen));
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  const upstream = http2Upstream({ host: "127.0.0.1", port }, { clock: systemClock });
  const records: CallRecord[] = [];
  const route: CompiledRoute = {
    id: "GRPCRoute default/echo",
    kind: "GRPCRoute",
    namespace: "default",
    name: "echo",
    filters: [],
    timeoutMs,
    act(call) {
      const { method: verb, scheme, authority, target, fields, upgrade } = call.head;
      const sent = upstream.send({ method: verb, scheme, authority, target, fields, body: call.body, upgrade });
      call.onAbort((reason) => sent.cancel(reason));
      return sent.answer.catch((error: unknown) => {
        if (error instanceof UpstreamError) return localAnswer(503, "no_answer", "the backend gave no answer");
        throw error;
      });
    },
  };
  const pipeline = new Pipeline({
    clock: systemClock,
    observer: {
      started() {},
      ended: (record) => records.push(record),
      fault: (_where, error) => assert.fail(String(error)),
    },
    proxies: { trusts: () => false },
    lease: () => ({
      table: {
        match: ({ path, isGrpc }) =>
          isGrpc && path.startsWith("/test.Echo/")
            ? { route, path: { type: "exact", value: path }, parameters: new Map<string, string>() }
            : undefined,
      },
      release() {},
    }),
  });
  const connections: Http2Connection[] = [];
  const gateway = createServer((socket) => {
    connections.push(
      serveHttp2(socket, {
        clock: systemClock,
        random: seededRandom(1),
        scheme: "http",
        client: { address: "127.0.0.1", port: 1, tls: undefined },
        listener: "grpc",
        handle: (exchange) => pipeline.handle(exchange),
      }),
    );
  });
  await new Promise<void>((resolve) => gateway.listen(0, "127.0.0.1", resolve));
  const address = `127.0.0.1:${(gateway.address() as AddressInfo).port}`;
  const client = new grpc.Client(address, grpc.credentials.createInsecure());
  t.after(() => {
    client.close();
    for (const connection of connections) connection.destroy();
    gateway.close();
    upstream.close();
    server.forceShutdown();
  });
  return { client, seen, records };
}

interface Unary {
  readonly error: grpc.ServiceError | null;
  readonly text: string;
  readonly header: grpc.Metadata | undefined;
  readonly status: grpc.StatusObject;
}

function askUnary(
  client: grpc.Client,
  text: string,
  options: grpc.CallOptions = {},
  path = SERVICE.unary.path,
): Promise<Unary> {
  return new Promise((resolve) => {
    const metadata = new grpc.Metadata();
    metadata.set("x-asked", "yes");
    let header: grpc.Metadata | undefined;
    let got: { error: grpc.ServiceError | null; text: string } | undefined;
    let status: grpc.StatusObject | undefined;
    const done = (): void => {
      if (got !== undefined && status !== undefined) resolve({ ...got, header, status });
    };
    const { requestSerialize, responseDeserialize } = SERVICE.unary;
    const call = client.makeUnaryRequest(
      path,
      requestSerialize,
      responseDeserialize,
      Buffer.from(text),
      metadata,
      options,
      (error, value) => {
        got = { error, text: value?.toString() ?? "" };
        done();
      },
    );
    call.on("metadata", (value) => (header = value));
    call.on("status", (value) => {
      status = value;
      done();
    });
  });
}

const { requestSerialize: write, responseDeserialize: read } = SERVICE.bidi;

async function messagesOf(stream: AsyncIterable<Buffer>): Promise<string[]> {
  const messages: string[] = [];
  for await (const bytes of stream) messages.push(bytes.toString());
  return messages;
}

test("a unary call passes with its metadata and trailers, also binary ones", async (t) => {
  const { client, seen } = await bench(t);
  const { error, text, header, status } = await askUnary(client, "hello", { deadline: systemClock.now() + 60_000 });
  assert.equal(error, null);
  assert.equal(text, "hello");
  assert.deepEqual(header?.get("x-header"), ["yes!"]);
  assert.deepEqual(status.metadata.get("x-trailer"), ["t"]);
  assert.deepEqual(status.metadata.get("x-some-bin"), [Buffer.from([0, 255, 10])]);
  assert.ok(seen.deadlines[0] !== undefined, "the deadline reaches the backend");
});

test("a status that is an error passes with its message and metadata", async (t) => {
  const { client } = await bench(t);
  const { error, status } = await askUnary(client, "fail");
  assert.equal(error?.code, grpc.status.FAILED_PRECONDITION);
  assert.equal(status.details, "no ümlaut please");
  assert.deepEqual(status.metadata.get("x-why"), ["because"]);
});

test("a method that the backend does not have, and a path that no route has, are unimplemented", async (t) => {
  const { client } = await bench(t);
  for (const path of ["/test.Echo/Missing", "/other.Service/Method"])
    assert.equal((await askUnary(client, "x", {}, path)).error?.code, grpc.status.UNIMPLEMENTED);
});

test("a server's stream passes message by message", async (t) => {
  const { client } = await bench(t);
  const { path } = SERVICE.serverStream;
  const many = client.makeServerStreamRequest(path, write, read, Buffer.from("1000"));
  const messages = await messagesOf(many);
  assert.deepEqual([messages.length, messages[999]], [1000, "m999"]);
  const none = client.makeServerStreamRequest(path, write, read, Buffer.from("0"));
  assert.deepEqual(await messagesOf(none), []);
});

test("a client's stream passes, with messages larger than any window", async (t) => {
  const { client } = await bench(t);
  const text = await new Promise<string>((resolve, reject) => {
    const call = client.makeClientStreamRequest(SERVICE.clientStream.path, write, read, (error, value) =>
      error === null ? resolve(value?.toString() ?? "") : reject(error),
    );
    for (let at = 0; at < 8; at++) call.write(Buffer.alloc(1_000_000));
    call.end();
  });
  assert.equal(text, "8000000");
});

test("both streams pass at the same time: each message is answered before the next is written", async (t) => {
  const { client } = await bench(t);
  const call = client.makeBidiStreamRequest(SERVICE.bidi.path, write, read);
  const messages = call[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  for (let at = 0; at < 20; at++) {
    call.write(Buffer.from(`ping ${at}`));
    const { value } = (await messages.next()) as { value: Buffer };
    assert.equal(value.toString(), `ping ${at}`);
  }
  call.end();
  assert.equal((await messages.next()).done, true);
});

test("a client that cancels cancels at the backend", async (t) => {
  const { client, seen, records } = await bench(t);
  const call = client.makeServerStreamRequest(SERVICE.serverStream.path, write, read, Buffer.from("endless"));
  call.on("error", () => {});
  await new Promise((resolve) => call.once("data", resolve));
  call.cancel();
  const { error } = await askUnary(client, "hang", { deadline: systemClock.now() + 100 });
  assert.equal(error?.code, grpc.status.DEADLINE_EXCEEDED);
  while (seen.cancelled.length < 2 || records.length < 2)
    await new Promise((resolve) => client.waitForReady(Infinity, resolve));
  assert.deepEqual(seen.cancelled.toSorted(), ["serverStream", "unary"]);
  assert.deepEqual(
    records.map(({ failure, status }) => failure ?? status),
    ["client_gone", "client_gone"],
  );
});

test("a call that takes the route's time is told so, and cancelled at the backend", async (t) => {
  const { client, seen } = await bench(t, 50);
  const { error } = await askUnary(client, "hang");
  assert.equal(error?.code, grpc.status.DEADLINE_EXCEEDED);
  while (seen.cancelled.length === 0) await new Promise((resolve) => client.waitForReady(Infinity, resolve));
});
