import assert from "node:assert/strict";
import { request as httpRequest } from "node:http";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { test } from "node:test";
import { systemClock, sleep } from "@gatewright/ports";
import { HeaderBlocks } from "./spdy/header-block.ts";
import { takeFrame } from "./spdy/frame.ts";
import { nodeWorld } from "./testing/node-world.ts";
import type { NodeWorld } from "./testing/node-world.ts";

const FORWARD = "/api/v1/namespaces/shop/pods/one/portforward";
const HELLO = "GET /x HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n";

/** Opens a connection that changes to SPDY, or tells why it did not. */
function upgraded({ listener }: NodeWorld, headers: Record<string, string> = {}): Promise<Duplex | IncomingMessage> {
  const all = {
    connection: "Upgrade",
    upgrade: "SPDY/3.1",
    "x-stream-protocol-version": "portforward.k8s.io",
    ...headers,
  };
  const call = httpRequest(`${listener.url}${FORWARD}`, { method: "POST", headers: all }).end();
  return new Promise((resolve, reject) => {
    call.once("upgrade", (_, socket) => resolve(socket));
    call.once("response", resolve);
    call.once("error", reject);
  });
}

function isSocket(answer: Duplex | IncomingMessage): answer is Duplex {
  return "write" in answer;
}

/** Data of streams that come in, by stream, until both sides of the first one have ended. */
async function received(socket: Duplex, streams: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const texts = new Map<number, string>();
  const open = new Set(streams);
  let buffer: Buffer = Buffer.alloc(0);
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    buffer = Buffer.concat([buffer, chunk]);
    for (let taken = takeFrame(buffer); taken; taken = takeFrame(buffer)) {
      buffer = buffer.subarray(taken.size);
      if (taken.frame.type !== "data") continue;
      const { stream, data, fin } = taken.frame;
      texts.set(stream, (texts.get(stream) ?? "") + data.toString());
      if (fin) open.delete(stream);
    }
    if (open.size === 0) return texts;
  }
  throw new Error("the connection ended before its streams");
}

async function synStream(headers: HeaderBlocks, stream: number, type: string, port: number): Promise<Buffer> {
  const block = await headers.pack(
    new Map([
      ["streamtype", type],
      ["port", String(port)],
      ["requestid", "0"],
    ]),
  );
  const frame = Buffer.alloc(18);
  frame.writeUInt32BE(0x8003_0001);
  frame.writeUIntBE(10 + block.length, 5, 3);
  frame.writeUInt32BE(stream, 8);
  return Buffer.concat([frame, block]);
}

function data(stream: number, text: string): Buffer {
  const frame = Buffer.alloc(8 + text.length);
  frame.writeUInt32BE(stream);
  frame.writeUIntBE(text.length, 5, 3);
  frame.write(text, 8);
  return frame;
}

test("a connection is two streams: its bytes, and why it failed", async (t) => {
  const world = await nodeWorld(t);
  await world.createPod("one");
  const socket = await upgraded(world);
  assert.ok(isSocket(socket));
  const headers = new HeaderBlocks();
  t.after(() => headers.close());
  socket.write(Buffer.concat([await synStream(headers, 1, "error", 8080), await synStream(headers, 3, "data", 8080)]));
  socket.write(data(3, HELLO));
  const texts = await received(socket, [1, 3]);
  assert.match(texts.get(3) ?? "", /hello from the pod$/);
  assert.equal(texts.get(1), "");
});

test("a port that is closed is told on the stream for errors", async (t) => {
  const world = await nodeWorld(t);
  await world.createPod("one");
  const socket = await upgraded(world);
  assert.ok(isSocket(socket));
  const headers = new HeaderBlocks();
  t.after(() => headers.close());
  socket.write(Buffer.concat([await synStream(headers, 1, "error", 99), await synStream(headers, 3, "data", 99)]));
  const texts = await received(socket, [1, 3]);
  assert.match(texts.get(1) ?? "", /^error forwarding port 99 to pod one, uid \S+: connect: connection refused$/);
});

test("garbage ends the connection, and a caller that leaves takes its connections along", async (t) => {
  const world = await nodeWorld(t);
  await world.createPod("one");
  const broken = await upgraded(world);
  assert.ok(isSocket(broken));
  const ended = new Promise((resolve) => broken.once("close", resolve));
  broken.resume().write(Buffer.alloc(64, 0xff));
  await ended;

  const socket = await upgraded(world);
  assert.ok(isSocket(socket));
  const headers = new HeaderBlocks();
  t.after(() => headers.close());
  socket.write(Buffer.concat([await synStream(headers, 1, "error", 8080), await synStream(headers, 3, "data", 8080)]));
  while (world.connections.size === 0) await sleep(systemClock, 5, new AbortController().signal);
  const [connection] = world.connections;
  const missed = new Promise((resolve) => connection?.once("close", resolve));
  socket.destroy();
  await missed;
});

test("other clients have two channels of a WebSocket for each port", async (t) => {
  const world = await nodeWorld(t);
  await world.createPod("one");
  const url = `${world.listener.url.replace("http", "ws")}${FORWARD}?ports=8080&ports=99`;
  const socket = new WebSocket(url, ["v4.channel.k8s.io"]);
  socket.binaryType = "arraybuffer";
  const channels = ["", "", "", ""];
  const closed = new Promise((resolve) => socket.addEventListener("close", resolve));
  socket.addEventListener("message", ({ data: message }) => {
    const bytes = Buffer.from(message as ArrayBuffer);
    channels[bytes[0] ?? 0] += bytes.subarray(1).toString("latin1");
  });
  await new Promise((resolve) => socket.addEventListener("open", resolve));
  assert.equal(socket.protocol, "v4.channel.k8s.io");
  socket.send(Buffer.concat([Buffer.from([0]), Buffer.from(HELLO)]));
  await closed;
  assert.match(channels[0] ?? "", /^\x90\x1f(?:.|\n|\r)*hello from the pod$/);
  assert.equal(channels[1], "\x90\x1f");
  assert.equal(channels[2], "c\0");
  assert.match(channels[3] ?? "", /^c\0error forwarding port 99 to pod one/);
});

test("whoever may only get is refused, and so is a request that asks for nothing", async (t) => {
  const getter = { token: "getter", user: { username: "getter", uid: "", groups: ["getters"], extra: {} } };
  const world = await nodeWorld(t, { access: "required", tokens: [getter] });
  await world.createPod("one");
  const rbac = { group: "rbac.authorization.k8s.io", version: "v1" };
  const apiVersion = `${rbac.group}/${rbac.version}`;
  const rules = [{ apiGroups: [""], resources: ["pods/portforward"], verbs: ["get"] }];
  await world.server.cluster.create(
    { ...rbac, resource: "clusterroles" },
    { apiVersion, kind: "ClusterRole", metadata: { name: "getters" }, rules },
  );
  const subjects = [{ kind: "Group", name: "getters", apiGroup: rbac.group }];
  const roleRef = { apiGroup: rbac.group, kind: "ClusterRole", name: "getters" };
  const binding = { apiVersion, kind: "ClusterRoleBinding", metadata: { name: "getters" }, subjects, roleRef };
  await world.server.cluster.create({ ...rbac, resource: "clusterrolebindings" }, binding);
  const answer = await fetch(`${world.listener.url}${FORWARD}`, { headers: { authorization: "Bearer getter" } });
  assert.match(((await answer.json()) as { message: string }).message, /cannot create resource "pods\/portforward"/);
  const inProcess = await world.server.transport()({ method: "POST", path: FORWARD });
  assert.equal(inProcess.status, 400);
});

test("a refusal to change the protocol is an ordinary answer", async (t) => {
  const world = await nodeWorld(t);
  const answer = await upgraded(world);
  assert.ok(!isSocket(answer));
  assert.equal(answer.statusCode, 404);
  answer.resume();
});
