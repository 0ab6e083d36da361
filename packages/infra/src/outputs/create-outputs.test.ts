import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { createApiServer } from "@gatewright/apiserver";
import type { Immutable, Resource } from "@gatewright/kube";
import { apiextensions, core } from "@gatewright/kube/api";
import { crdOf } from "@gatewright/kube/define/manifests";
import { ManualClock, PassingTime, seededRandom } from "@gatewright/ports";
import { SQSQueue } from "@gatewright/resources";
import { controllerOf, createClient, createManager, done } from "@gatewright/runtime";
import type { Client } from "@gatewright/runtime";
import type { Managed } from "../engine/aws-kind.ts";
import { createOutputs } from "./create-outputs.ts";
import type { OutputsResult } from "./create-outputs.ts";

const at = (name: string) => ({ namespace: "default", name });
const OUTPUTS = { arn: "arn:1", url: "https://q" };

/** A server on which a controller writes the outputs of every queue. */
async function outputsWorld() {
  const clock = new ManualClock();
  const server = await createApiServer({ clock, random: seededRandom(7) });
  const transport = server.transport();
  const user = createClient(transport, { clock, random: seededRandom(8), fieldManager: "user" });
  await user.for(apiextensions.CustomResourceDefinition).apply(crdOf(SQSQueue));
  await server.idle();
  const results = new Map<string, OutputsResult>();
  const calls: string[] = [];
  const outputs = createOutputs(SQSQueue);
  const manager = createManager({
    name: "outputs-test",
    transport: (request) => {
      if (/secrets\/|configmaps\/|\/secrets$|\/configmaps$/.test(request.path.split("?")[0] ?? ""))
        calls.push(`${request.method} ${request.path}`);
      return transport(request);
    },
    clock,
    random: seededRandom(9),
  });
  manager.add({
    name: "queues",
    for: SQSQueue,
    indexes: outputs.indexes,
    watches: outputs.watches,
    access: outputs.access,
    async reconcile(context) {
      const { object } = context;
      if (object === undefined || object.metadata.deletionTimestamp !== undefined) return done();
      const told = object as unknown as Immutable<Managed>;
      results.set(object.metadata.name ?? "", await outputs.write(context, told, OUTPUTS));
      return done();
    },
  });
  const stopping = new AbortController();
  const running = manager.run(stopping.signal);
  const time = new PassingTime(clock, { turnMs: 20 });
  return {
    user,
    results,
    calls,
    time,
    pass: async () => {
      for (let turns = 0; turns < 30; turns++) await time.turn();
    },
    async end() {
      stopping.abort();
      let stopped = false;
      const ended = running.finally(() => void (stopped = true));
      while (!stopped) await time.turn();
      await ended;
      await server.close();
    },
  };
}

suite("outputs", () => {
  let world: Awaited<ReturnType<typeof outputsWorld>>;
  let user: Client;
  before(async () => {
    world = await outputsWorld();
    ({ user } = world);
  });
  after(() => world.end());

  const make = (name: string, writeOutputsTo: object) =>
    user.for(SQSQueue).create({
      metadata: at(name),
      spec: {
        providerRef: { name: "aws" },
        queueName: name,
        deletionPolicy: "Delete",
        writeOutputsTo,
      } as SQSQueue["spec"],
    });
  const point = (name: string, writeOutputsTo: object | null) =>
    user.for(SQSQueue).patch(at(name), { merge: { spec: { writeOutputsTo } } });
  const found = <T extends core.Secret | core.ConfigMap>(
    resource: Resource<T>,
    name: string,
    holds: (seen: Immutable<T> | undefined) => boolean,
  ) => world.time.until(`${resource.kind} ${name}`, () => user.for(resource).find(at(name)), holds);
  const decoded = (secret: Immutable<core.Secret> | undefined) =>
    Object.fromEntries(
      Object.entries(secret?.data ?? {}).map(([key, text]) => [key, Buffer.from(text, "base64").toString()]),
    );

  test("a Secret is written by templates, belongs to the object, and is put right when somebody changes or deletes it", async () => {
    const queue = await make("a", { name: "a-out", data: { URL: "${url}?x", ARN: "${arn}" } });
    const secret = await found(core.Secret, "a-out", (seen) => seen !== undefined);
    assert.deepEqual(decoded(secret), { URL: "https://q?x", ARN: "arn:1" });
    assert.equal(controllerOf(secret!)?.uid, queue.metadata.uid);
    await user.for(core.Secret).patch(at("a-out"), { merge: { data: { URL: "eA==", MORE: "eA==" } } });
    await found(
      core.Secret,
      "a-out",
      (seen) => decoded(seen)["URL"] === "https://q?x" && seen?.data?.["MORE"] === undefined,
    );
    await user.for(core.Secret).delete(at("a-out"));
    await found(core.Secret, "a-out", (seen) => seen !== undefined);
  });

  test("what left the templates leaves the Secret; at rest no call is made", async () => {
    await point("a", { name: "a-out", data: { ARN: null } });
    await found(core.Secret, "a-out", (seen) => Object.keys(seen?.data ?? {}).join() === "URL");
    await world.pass();
    const before = world.calls.length;
    await user.for(SQSQueue).patch(at("a"), { merge: { metadata: { labels: { some: "label" } } } });
    await world.pass();
    assert.deepEqual(world.calls.slice(before), []);
  });

  test("another name, another kind, none: what was written before goes once the new one is there", async () => {
    await make("b", { name: "b-out" });
    await found(core.Secret, "b-out", (seen) => seen !== undefined);
    await point("b", { kind: "ConfigMap", name: "b-conf" });
    const config = await found(core.ConfigMap, "b-conf", (seen) => seen !== undefined);
    assert.deepEqual(config?.data, OUTPUTS);
    await found(core.Secret, "b-out", (seen) => seen === undefined);
    await point("b", null);
    await found(core.ConfigMap, "b-conf", (seen) => seen === undefined);
  });

  test("what is somebody else's is left alone, and the object says so", async () => {
    await user.for(core.Secret).create({ metadata: at("theirs"), data: { key: "eA==" } });
    await make("c", { name: "theirs" });
    await make("d", { name: "a-out" });
    await world.time.until(
      "results",
      async () => world.results.get("d"),
      (seen) => seen !== undefined,
    );
    const told = (name: string): string => {
      const result = world.results.get(name);
      return result === undefined || result === "written"
        ? String(result)
        : `${result.reason.reason}: ${result.message}`;
    };
    assert.match(told("c"), /^OutputsTaken: Secret theirs exists already and was not made by this object/);
    assert.match(told("d"), /^OutputsTaken: Secret a-out exists already and belongs to SQSQueue a/);
    assert.deepEqual((await user.for(core.Secret).get(at("theirs"))).data, { key: "eA==" });
  });

  test("what stood in the way and goes is written at once, whoever's it was", async () => {
    await make("e", { kind: "ConfigMap", name: "e-out" });
    await found(core.ConfigMap, "e-out", (seen) => seen !== undefined);
    await make("f", { kind: "ConfigMap", name: "e-out" });
    await world.time.until(
      "that it is taken",
      async () => world.results.get("f"),
      (seen) => typeof seen === "object",
    );
    const owned = (name: string) => (seen: Immutable<core.Secret | core.ConfigMap> | undefined) =>
      seen !== undefined && controllerOf(seen)?.name === name;
    await user.for(core.Secret).delete(at("theirs"));
    await found(core.Secret, "theirs", owned("c"));
    await point("e", null);
    await found(core.ConfigMap, "e-out", owned("f"));
  });

  test("a template that names nothing writes nothing, and what was written stays", async () => {
    await point("a", { name: "a-out", data: { URL: "${nothing}" } });
    const result = await world.time.until(
      "a problem",
      async () => world.results.get("a"),
      (seen) => typeof seen === "object",
    );
    assert.match(typeof result === "object" ? result.message : "", /URL names \$\{nothing\}/);
    assert.deepEqual(decoded(await user.for(core.Secret).get(at("a-out"))), { URL: "https://q?x" });
  });
});
