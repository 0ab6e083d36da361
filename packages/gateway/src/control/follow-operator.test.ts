import assert from "node:assert/strict";
import { test } from "node:test";
import { credentials } from "@grpc/grpc-js";
import { create } from "@bufbuild/protobuf";
import { operatorApi } from "@gatewright/gateway-wire";
import { ManualClock, nextTurn, seededRandom } from "@gatewright/ports";
import { followOperator } from "./follow-operator.ts";
import type { FollowOptions } from "./follow-operator.ts";
import { HeldObjects } from "./testing/held-objects.ts";
import { SmallOperator, wireResource } from "./testing/small-operator.ts";

const { ResourceType, UpdateType } = operatorApi;
const numbers = { activeConnections: 2, requestsPerSecond: 1.5, errorRate: 0, memoryBytes: 1000, uptimeMs: 5000 };

interface Following {
  readonly operator: SmallOperator;
  readonly held: HeldObjects;
  readonly clock: ManualClock;
  readonly told: string[];
  readonly stop: () => Promise<void>;
}

async function following(change: Partial<FollowOptions> = {}): Promise<Following> {
  const operator = new SmallOperator();
  const port = await operator.listen();
  const [held, clock, told] = [new HeldObjects(), new ManualClock(), [] as string[]];
  const stopping = new AbortController();
  const running = followOperator(
    {
      address: `127.0.0.1:${port}`,
      identity: { name: "gw", namespace: "edge", version: "1" },
      namespaces: ["shop"],
      credentials: async () => credentials.createInsecure(),
      target: held,
      numbers: () => numbers,
      clock,
      random: seededRandom(1),
      log: (level, message) => void told.push(`${level}: ${message}`),
      ...change,
    },
    stopping.signal,
  );
  const stop = async (): Promise<void> => {
    stopping.abort();
    await running;
    operator.close();
  };
  return { operator, held, clock, told, stop };
}

const snapshot = (...names: string[]) => ({
  type: UpdateType.FULL_SYNC,
  version: names.join("+"),
  snapshot: create(operatorApi.ConfigurationSnapshotSchema, {
    apiRoutes: names.map((name) => wireResource(ResourceType.API_ROUTE, name)),
  }),
});

test("a gateway registers, follows, and acknowledges what it applied and what it refused", async () => {
  const { operator, held, stop } = await following();
  await operator.until(() => operator.streams.length === 1);
  assert.equal(operator.registrations[0]?.gateway?.name, "gw");
  assert.deepEqual(operator.streams[0]?.namespaces, ["shop"]);
  operator.send(snapshot("a", "b"));
  await operator.until(() => operator.acknowledged.length === 1);
  assert.deepEqual(held.names, ["APIRoute shop/a", "APIRoute shop/b"]);
  operator.send({
    type: UpdateType.ADDED,
    version: "next",
    sequence: 1n,
    resource: wireResource(ResourceType.API_ROUTE, "bad"),
  });
  await operator.until(() => operator.acknowledged.length === 2);
  const refused = operator.acknowledged[1];
  assert.equal(refused?.success, false);
  assert.equal(refused?.configVersion, "next");
  assert.deepEqual(
    refused?.findings.map(({ name, field, refused: out }) => [name, field, out]),
    [["bad", "spec.match", true]],
  );
  await stop();
});

test("acknowledgements go one after the other where the operator takes them so, and when that ends the gateway begins anew", async () => {
  const { operator, held, clock, stop } = await following();
  operator.welcome = { success: true, takesAcknowledgementStreams: true };
  await operator.until(() => operator.streams.length === 1);
  operator.send(snapshot("a"));
  await operator.until(() => operator.acknowledged.length === 1);
  const resource = wireResource(ResourceType.API_ROUTE, "bad");
  operator.send({ type: UpdateType.ADDED, version: "next", sequence: 1n, resource });
  await operator.until(() => operator.acknowledged.length === 2);
  assert.deepEqual(operator.streamed, ["a", "next"]);
  assert.deepEqual(
    operator.acknowledged.map(({ sessionId, success, findings }) => [sessionId, success, findings.length]),
    [
      ["session-1", true, 0],
      ["session-1", false, 1],
    ],
  );
  operator.endAcknowledgements();
  while (operator.streams.length < 2) {
    clock.advance(500);
    await nextTurn();
  }
  assert.equal(operator.streams[1]?.sessionId, "session-2");
  assert.deepEqual(held.names, ["APIRoute shop/a"]);
  await stop();
});

test("when the stream ends, the gateway registers anew, says what it has, and keeps it meanwhile", async () => {
  const { operator, held, clock, stop } = await following();
  await operator.until(() => operator.streams.length === 1);
  operator.send(snapshot("a"));
  await operator.until(() => operator.acknowledged.length === 1);
  operator.endStream();
  while (operator.streams.length < 2) {
    clock.advance(500);
    await nextTurn();
  }
  assert.equal(operator.streams[1]?.lastConfigVersion, "a");
  assert.deepEqual(
    operator.streams[1].held.map(({ name, resourceVersion }) => [name, resourceVersion]),
    [["a", "1"]],
  );
  assert.equal(operator.streams[1]?.sessionId, "session-2");
  assert.deepEqual(held.names, ["APIRoute shop/a"]);
  await stop();
});

test("a refused registration is tried again", async () => {
  const { operator, clock, told, stop } = await following();
  operator.welcome = { success: false, errorMessage: "not yet" };
  await operator.until(() => operator.registrations.length === 1);
  operator.welcome = { success: true };
  while (operator.streams.length === 0) {
    clock.advance(500);
    await nextTurn();
  }
  assert.deepEqual(told.slice(0, 2), [
    "warn: The operator cannot be followed; trying again",
    "info: Registered with the operator",
  ]);
  await stop();
});

test("heartbeats say which version is applied", async () => {
  const { operator, clock, stop } = await following();
  await operator.until(() => operator.streams.length === 1);
  operator.send(snapshot("a"));
  await operator.until(() => operator.acknowledged.length === 1);
  clock.advance(30_000);
  await operator.until(() => operator.heartbeats.length === 1);
  assert.equal(operator.heartbeats[0]?.lastAppliedVersion, "a");
  assert.equal(operator.heartbeats[0]?.status?.activeConnections, 2n);
  await stop();
});
