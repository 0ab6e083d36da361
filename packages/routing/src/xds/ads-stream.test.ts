import assert from "node:assert/strict";
import { test } from "node:test";
import { fromBinary } from "@bufbuild/protobuf";
import { DeltaDiscoveryResponseSchema } from "@gatewright/gateway-wire/xds";
import type { Connection, Remark } from "../distribution/connected-gateway.ts";
import { AdsStream } from "./ads-stream.ts";
import { DeltaSubscription } from "./delta-subscription.ts";
import { ResourceSet } from "./resource-set.ts";
import { resourceType } from "./resource-types.ts";
import type { ResourceType } from "./resource-types.ts";
import { made } from "./testing/made-resources.ts";

interface Told {
  readonly revision: number;
  readonly remarks: readonly Remark[];
}

/** A stream whose client takes answers when the test says so. */
function stage(needsRoutes = false) {
  const resources = new ResourceSet();
  const sent: { readonly type: ResourceType; readonly nonce: string; readonly text: string }[] = [];
  const told: Told[] = [];
  const connection = {
    heard() {},
    sent() {},
    acknowledged: (revision: number, remarks: readonly Remark[]) => void told.push({ revision, remarks }),
  } as unknown as Connection;
  const stream = new AdsStream<DeltaSubscription>({
    resources,
    connection,
    versionOf: () => "v1",
    subscribe: (type) => new DeltaSubscription(type, resources.of(type)),
    needsRoutes,
    send(answer) {
      const message = fromBinary(DeltaDiscoveryResponseSchema, answer);
      const names = message.resources.map(({ name }) => name);
      const text = [...names, ...message.removedResources.map((name) => `-${name}`)].join(" ");
      sent.push({ type: resourceType(message.typeUrl)!, nonce: message.nonce, text });
    },
  });
  const say = (type: ResourceType, subscribe: readonly string[], nonce = "", error?: string): void =>
    stream.request(type, (subscription, generation) =>
      subscription.take({ subscribe, unsubscribe: [], initialVersions: new Map(), nonce, error }, generation),
    );
  return {
    resources,
    told,
    stream,
    say,
    /** What was sent since it was asked last. */
    news: () => sent.splice(0).map(({ type, text }) => `${type}: ${text}`),
    /** Takes, or refuses, what was sent last of a type. */
    take(type: ResourceType, error?: string) {
      say(type, [], String(sent.findLast((one) => one.type === type)?.nonce ?? lastNonce.get(type)), error);
    },
    remember() {
      for (const { type, nonce } of sent) lastNonce.set(type, nonce);
    },
  };
}

const lastNonce = new Map<ResourceType, string>();

/** A client that has a cluster, its endpoints, a listener and routes. */
function settled() {
  const world = stage();
  world.resources.advance(1, (generation) => {
    for (const type of ["cluster", "endpoints", "listener", "routes"] as const)
      world.resources.of(type).set(made("a"), generation);
    return [];
  });
  world.say("cluster", ["*"]);
  world.take("cluster");
  world.say("endpoints", ["a"]);
  world.take("endpoints");
  world.say("listener", ["*"]);
  world.take("listener");
  world.say("routes", ["a"]);
  world.take("routes");
  world.news();
  return world;
}

test("nothing is said before there is a whole generation", () => {
  const world = stage();
  world.say("cluster", ["*"]);
  assert.deepEqual(world.news(), []);
  assert.deepEqual(world.told, []);
});

test("a client that took everything has the revision", () => {
  const { told } = settled();
  assert.equal(told.at(-1)?.revision, 1);
});

test("routes wait for clusters, endpoints go with them", () => {
  const world = settled();
  world.resources.advance(2, (generation) => {
    world.resources.of("cluster").set(made("a", "2"), generation);
    world.resources.of("endpoints").set(made("a", "2"), generation);
    world.resources.of("routes").set(made("a", "2"), generation);
    return [];
  });
  world.stream.advance();
  world.remember();
  assert.deepEqual(world.news(), ["cluster: a", "endpoints: a"]);
  world.take("cluster");
  assert.deepEqual(world.news(), []);
  world.take("endpoints");
  world.remember();
  assert.deepEqual(world.news(), ["routes: a"]);
  assert.equal(world.told.at(-1)?.revision, 1);
  world.take("routes");
  assert.equal(world.told.at(-1)?.revision, 2);
});

test("a cluster goes when the routes that stopped using it were taken", () => {
  const world = settled();
  world.resources.advance(2, (generation) => {
    world.resources.of("cluster").remove("a", generation);
    world.resources.of("cluster").set(made("b"), generation);
    world.resources.of("routes").set(made("a", "to b"), generation);
    return [];
  });
  world.stream.advance();
  world.remember();
  assert.deepEqual(world.news(), ["cluster: b"]);
  world.take("cluster");
  world.remember();
  assert.deepEqual(world.news(), ["routes: a"]);
  world.take("routes");
  world.remember();
  assert.deepEqual(world.news(), ["cluster: -a"]);
  assert.equal(world.told.at(-1)?.revision, 1);
  world.take("cluster");
  assert.equal(world.told.at(-1)?.revision, 2);
});

test("a refusal is told of those whose resources it names", () => {
  const world = settled();
  world.resources.advance(2, (generation) => {
    world.resources.of("cluster").set(made("bad"), generation);
    world.resources.of("cluster").set(made("good"), generation);
    return [];
  });
  world.stream.advance();
  world.take("cluster", "Error adding/updating cluster(s) bad: no such thing");
  const { remarks } = world.told.at(-1)!;
  assert.deepEqual(
    remarks.map(({ key, refused, version }) => [key, refused, version]),
    [["APIRoute shop/bad", true, "v1"]],
  );
});

test("a client that has not asked for the routes of its listeners does not have everything", () => {
  const world = stage(true);
  world.resources.advance(1, (generation) => {
    world.resources.of("listener").set(made("a"), generation);
    world.resources.of("routes").set(made("a"), generation);
    return [];
  });
  world.say("listener", ["*"]);
  world.take("listener");
  assert.equal(world.told.length, 0);
  world.say("routes", ["a"]);
  world.take("routes");
  assert.equal(world.told.at(-1)?.revision, 1);
});
