import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import {
  CreateQueueCommand,
  DeleteQueueCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ListQueuesCommand,
  ListQueueTagsCommand,
  SetQueueAttributesCommand,
  SQSClient,
  TagQueueCommand,
} from "@aws-sdk/client-sqs";
import { core, events } from "@gatewright/kube/api";
import { AWSProvider, SQSQueue } from "@gatewright/resources";
import { createInfraWorld } from "./infra-world.ts";
import type { InfraWorld } from "./infra-world.ts";

let world: InfraWorld;

/** AWS's own SDK, with the time of the world. */
async function sdk<T>(use: (sqs: SQSClient) => Promise<T>): Promise<T> {
  const sqs = new SQSClient(world.sdk());
  try {
    return await use(sqs);
  } finally {
    sqs.destroy();
  }
}

/** All of a queue's attributes and tags. Undefined: there is none. */
function look(QueueName: string) {
  return sdk(async (sqs) => {
    try {
      const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName }));
      const { Attributes = {} } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ["All"] }));
      const { Tags = {} } = await sqs.send(new ListQueueTagsCommand({ QueueUrl }));
      return { attributes: Attributes, tags: Tags };
    } catch (error) {
      assert.equal((error as Error).name, "QueueDoesNotExist");
      return undefined;
    }
  });
}

function meddle(QueueName: string, Attributes: Record<string, string>) {
  return sdk(async (sqs) => {
    const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName }));
    await sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes }));
  });
}

const made = (QueueName: string, tags: Record<string, string> = {}, Attributes: Record<string, string> = {}) =>
  sdk((sqs) => sqs.send(new CreateQueueCommand({ QueueName, tags, Attributes })));

const deleted = (QueueName: string) =>
  sdk(async (sqs) => {
    const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName }));
    await sqs.send(new DeleteQueueCommand({ QueueUrl }));
  });

/** How often SQS was asked to set attributes. */
const changes = (): number => world.calls({ operation: "SetQueueAttributes" }).length;
const OWNER = "gatewright.dev/uid";

suite("a queue", () => {
  before(async () => {
    world = await createInfraWorld();
  });
  after(() => world[Symbol.asyncDispose]());

  test("is made as its object says, with tags that say whose it is", async () => {
    await world.put(SQSQueue, "orders", { queueName: "orders", visibilityTimeout: 60, tags: { team: "shop" } });
    const object = await world.ready(SQSQueue, "orders");
    const queue = await look("orders");
    assert.equal(queue?.attributes["VisibilityTimeout"], "60");
    assert.deepEqual(queue?.tags, {
      "managed-by": "gatewright",
      "gatewright.dev/cluster": "test",
      "gatewright.dev/namespace": "shop",
      "gatewright.dev/name": "orders",
      [OWNER]: object.metadata.uid,
      team: "shop",
    });
    assert.equal(object.status?.ready, true);
    assert.equal(object.status?.accountID, "000000000000");
    assert.equal(object.status?.deletionPolicy, "Delete");
    assert.equal(object.status?.queueARN, queue?.attributes["QueueArn"]);
    assert.equal(object.status?.pending, undefined);
  });

  test("at rest costs two reads of SQS in half an hour and no write anywhere", async () => {
    await world.put(SQSQueue, "calm", { queueName: "calm" });
    await world.ready(SQSQueue, "calm");
    await world.long(2 * 60_000);
    const [calls, writes] = [world.calls({ service: "sqs" }).length, world.writes()];
    await world.long(60 * 60_000);
    const objects = (await world.user.for(SQSQueue).list({})).items.length;
    assert.ok(world.calls({ service: "sqs" }).length - calls <= 4 * objects);
    assert.equal(world.writes(), writes);
  });

  test("that others change is put back, once", async () => {
    await world.put(SQSQueue, "drifting", { queueName: "drifting", delaySeconds: 7 });
    await world.ready(SQSQueue, "drifting");
    await meddle("drifting", { DelaySeconds: "1" });
    const before = changes();
    await world.long(45 * 60_000);
    assert.equal((await look("drifting"))?.attributes["DelaySeconds"], "7");
    assert.equal(changes(), before + 1);
    const { items } = await world.user.for(events.Event).list({ namespace: "shop" });
    assert.ok(items.some(({ reason, note }) => reason === "DriftRepaired" && note?.includes("delaySeconds")));
  });

  test("is read at once when the annotation has a new value", async () => {
    const spec = { queueName: "now", delaySeconds: 7 };
    await world.put(SQSQueue, "now", spec);
    await world.ready(SQSQueue, "now");
    // Until SQS must have what was written.
    await world.long(70_000);
    await meddle("now", { DelaySeconds: "1" });
    await world.put(SQSQueue, "now", spec, { "aws-infra-operator.runner.codes/reconcile-now": "1" });
    await world.time.until("answered", async () => (await world.get(SQSQueue, "now"))?.status?.reconciledNow === "1");
    assert.equal((await look("now"))?.attributes["DelaySeconds"], "7");
    await world.long(10_000);
    const { items } = await world.user.for(events.Event).list({ namespace: "shop" });
    const told = items.filter(({ regarding }) => regarding?.name === "now").map(({ reason }) => reason);
    assert.ok(told.includes("DriftRepaired") && !told.includes("Changed"), told.join());
  });

  test("is not taken over from an object that is there, by consent or by tags, and not deleted with who wanted it", async () => {
    await world.put(SQSQueue, "kept", { queueName: "kept", tags: { app: "kept" }, deletionPolicy: "Retain" });
    await world.ready(SQSQueue, "kept");
    const adopt = { byTags: { app: "kept" } };
    await world.put(SQSQueue, "taker", { queueName: "taker", management: { adopt } });
    await world.reason(SQSQueue, "taker", "Conflict");
    await world.remove(SQSQueue, "taker");
    await world.gone(SQSQueue, "taker");
    await world.ready(SQSQueue, "kept");
    assert.equal((await look("kept"))?.tags["gatewright.dev/name"], "kept");
    await world.remove(SQSQueue, "kept");
    await world.gone(SQSQueue, "kept");
    // Its object is gone, and it stayed: now it can be had.
    await world.put(SQSQueue, "heir", { queueName: "kept", management: { adopt } });
    await world.ready(SQSQueue, "heir");
    assert.equal((await look("kept"))?.tags["gatewright.dev/name"], "heir");
  });

  test("whose drift is only reported stays as others made it, and the status has the fields", async () => {
    const spec = { queueName: "told", delaySeconds: 7, management: { drift: { mode: "Report", interval: "1m" } } };
    await world.put(SQSQueue, "told", spec);
    await world.ready(SQSQueue, "told");
    await meddle("told", { DelaySeconds: "1" });
    const object = await world.reason(SQSQueue, "told", "Drifted");
    assert.deepEqual(
      object.status?.drift?.map(({ field, have, want }) => ({ field, have, want })),
      [{ field: "delaySeconds", have: "1", want: "7" }],
    );
    assert.equal(object.status?.ready, true);
    // What the user changes is written all the same, and nothing else.
    await world.put(SQSQueue, "told", { ...spec, visibilityTimeout: 44 });
    await world.time.until("written", async () => (await look("told"))?.attributes["VisibilityTimeout"] === "44");
    assert.equal((await look("told"))?.attributes["DelaySeconds"], "1");
    await world.put(SQSQueue, "told", { ...spec, delaySeconds: 8 });
    await world.ready(SQSQueue, "told");
    assert.equal((await look("told"))?.attributes["DelaySeconds"], "8");
  });

  test("whose drift is only reported has the default tags that its provider says now, beside what others made of it", async () => {
    const provider = { namespace: "shop", name: "tagging" };
    await world.user
      .for(AWSProvider)
      .create({ metadata: provider, spec: { region: "eu-west-1", defaultTags: { a: "1" } } });
    const drift = { mode: "Report", interval: "1m" };
    await world.put(SQSQueue, "labelled", {
      providerRef: { name: "tagging" },
      queueName: "labelled",
      delaySeconds: 7,
      management: { drift },
    });
    await world.ready(SQSQueue, "labelled");
    await meddle("labelled", { DelaySeconds: "1" });
    await world.reason(SQSQueue, "labelled", "Drifted");
    const tags = async () => {
      const { a, b } = (await look("labelled"))?.tags ?? {};
      return [a, b];
    };
    for (const [defaultTags, want] of [
      [{ a: "1", b: "2" }, ["1", "2"]],
      [{ a: "3", b: "2" }, ["3", "2"]],
      [{ a: null, b: "2" }, [undefined, "2"]],
    ] as const) {
      await world.user.for(AWSProvider).patch(provider, { merge: { spec: { defaultTags } } });
      await world.time.until("tagged", async () => isDeepStrictEqual(await tags(), want));
      assert.equal((await look("labelled"))?.attributes["DelaySeconds"], "1");
    }
    await world.reason(SQSQueue, "labelled", "Drifted");
    // What others do to such a tag is told again.
    await sdk(async (sqs) => {
      const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName: "labelled" }));
      await sqs.send(new TagQueueCommand({ QueueUrl, Tags: { b: "9" } }));
    });
    const told = async () => (await world.get(SQSQueue, "labelled"))?.status?.drift?.map(({ field }) => field);
    await world.time.until("told", async () => isDeepStrictEqual(await told(), ["delaySeconds", "tags.b"]));
    assert.deepEqual(await tags(), [undefined, "9"]);
  });

  test("whose field is ignored may be changed by others after it was made", async () => {
    const management = { drift: { interval: "1m", ignoreFields: ["delaySeconds"] } };
    await world.put(SQSQueue, "loose", { queueName: "loose", delaySeconds: 7, management });
    await world.ready(SQSQueue, "loose");
    assert.equal((await look("loose"))?.attributes["DelaySeconds"], "7");
    await meddle("loose", { DelaySeconds: "1" });
    await world.long(5 * 60_000);
    assert.equal((await look("loose"))?.attributes["DelaySeconds"], "1");
  });

  test("that exists is not touched without consent, and taken over with it", async () => {
    await made("found", { team: "old" }, { DelaySeconds: "3" });
    const spec = { queueName: "found", delaySeconds: 9 };
    await world.put(SQSQueue, "found", spec);
    await world.reason(SQSQueue, "found", "Conflict");
    assert.deepEqual((await look("found"))?.tags, { team: "old" });
    assert.equal((await look("found"))?.attributes["DelaySeconds"], "3");
    await world.put(SQSQueue, "found", { ...spec, management: { adopt: { byName: true } } });
    const object = await world.ready(SQSQueue, "found");
    assert.equal(object.status?.resource?.ownership, "Adopted");
    assert.equal((await look("found"))?.attributes["DelaySeconds"], "9");
    assert.equal((await look("found"))?.tags["team"], "old");
    assert.equal((await look("found"))?.tags[OWNER], object.metadata.uid);
  });

  test("of others is left alone when an object that was refused goes", async () => {
    await made("theirs");
    await world.put(SQSQueue, "theirs", { queueName: "theirs" });
    await world.reason(SQSQueue, "theirs", "Conflict");
    await world.remove(SQSQueue, "theirs");
    await world.gone(SQSQueue, "theirs");
    assert.deepEqual((await look("theirs"))?.tags, {});
  });

  test("is found by its tags and taken over, when it is the only one", async () => {
    await made("by-tag", { env: "prod", app: "x" });
    await made("by-tag-2", { env: "test", app: "x" });
    const spec = { queueName: "by-tag", management: { adopt: { byTags: { app: "x" } } } };
    await world.put(SQSQueue, "by-tag", spec);
    await world.reason(SQSQueue, "by-tag", "Ambiguous");
    await world.put(SQSQueue, "by-tag", { ...spec, management: { adopt: { byTags: { app: "x", env: "prod" } } } });
    const object = await world.ready(SQSQueue, "by-tag");
    assert.equal((await look("by-tag"))?.tags[OWNER], object.metadata.uid);
    assert.equal((await look("by-tag-2"))?.tags[OWNER], undefined);
  });

  test("that is only observed is never changed, made or deleted", async () => {
    const management = { mode: "Observe" };
    await made("watched", {}, { DelaySeconds: "3" });
    await world.put(SQSQueue, "watched", { queueName: "watched", delaySeconds: 5, management });
    const object = await world.reason(SQSQueue, "watched", "Drifted");
    assert.deepEqual(object.status?.drift, [{ field: "delaySeconds", have: "3", want: "5" }]);
    assert.ok(object.status?.queueURL?.endsWith("/watched"));
    await world.put(SQSQueue, "nowhere", { queueName: "nowhere", management });
    await world.reason(SQSQueue, "nowhere", "NotFound");
    for (const name of ["watched", "nowhere"]) {
      await world.remove(SQSQueue, name);
      await world.gone(SQSQueue, name);
    }
    assert.deepEqual(await look("nowhere"), undefined);
    assert.equal((await look("watched"))?.attributes["DelaySeconds"], "3");
    assert.deepEqual((await look("watched"))?.tags, {});
  });

  test("goes, stays or stays without tags, as the policy says", async () => {
    for (const deletionPolicy of ["Delete", "Retain", "Orphan"]) {
      const name = `with-${deletionPolicy.toLowerCase()}`;
      await world.put(SQSQueue, name, { queueName: name, deletionPolicy, tags: { team: "shop" } });
      await world.ready(SQSQueue, name);
      await world.remove(SQSQueue, name);
      await world.gone(SQSQueue, name);
    }
    assert.equal(await look("with-delete"), undefined);
    assert.ok((await look("with-retain"))?.tags[OWNER]);
    assert.deepEqual((await look("with-orphan"))?.tags, { team: "shop" });
  });

  test("that somebody deletes is made anew", async () => {
    await world.put(SQSQueue, "phoenix", { queueName: "phoenix", management: { drift: { interval: "1m" } } });
    const { metadata } = await world.ready(SQSQueue, "phoenix");
    await deleted("phoenix");
    await world.long(4 * 60_000);
    const object = await world.ready(SQSQueue, "phoenix");
    assert.equal(object.status?.replacements, 1);
    assert.equal((await look("phoenix"))?.tags[OWNER], metadata.uid);
  });

  test("that somebody deletes waits for a word when drift is only reported", async () => {
    const spec = { queueName: "mourned", management: { drift: { mode: "Report", interval: "1m" } } };
    await world.put(SQSQueue, "mourned", spec);
    await world.ready(SQSQueue, "mourned");
    await deleted("mourned");
    const missing = await world.reason(SQSQueue, "mourned", "Missing");
    assert.equal(await look("mourned"), undefined);
    const hash = missing.status?.plan?.hash ?? "";
    await world.put(SQSQueue, "mourned", spec, { "aws-infra-operator.runner.codes/approve": "something else" });
    await world.long(60_000);
    assert.equal(await look("mourned"), undefined);
    await world.put(SQSQueue, "mourned", spec, { "aws-infra-operator.runner.codes/approve": hash });
    await world.ready(SQSQueue, "mourned");
    assert.ok(await look("mourned"));
  });

  test("waits for the dead-letter queue that it refers to, and goes before it", async () => {
    const deadLetterQueue = { queueRef: { name: "failed" }, maxReceiveCount: 5 };
    await world.put(SQSQueue, "source", { queueName: "source", deadLetterQueue });
    await world.reason(SQSQueue, "source", "WaitingForReference");
    assert.equal(await look("source"), undefined);
    await world.put(SQSQueue, "failed", { queueName: "failed" });
    await world.ready(SQSQueue, "source");
    const target = (await look("failed"))?.attributes["QueueArn"];
    const policy: unknown = JSON.parse((await look("source"))?.attributes["RedrivePolicy"] ?? "");
    assert.deepEqual(policy, { deadLetterTargetArn: target, maxReceiveCount: 5 });
    await world.remove(SQSQueue, "failed");
    await world.reason(SQSQueue, "failed", "InUse");
    assert.ok(await look("failed"));
    await world.remove(SQSQueue, "source");
    await world.gone(SQSQueue, "source");
    await world.gone(SQSQueue, "failed");
    assert.equal(await look("failed"), undefined);
  });

  test("writes its outputs where it is told", async () => {
    const writeOutputsTo = { kind: "Secret", name: "told-queue", data: { QUEUE: "${url}" } };
    await world.put(SQSQueue, "teller", { queueName: "teller", writeOutputsTo });
    const object = await world.ready(SQSQueue, "teller");
    const secret = await world.user.for(core.Secret).get({ namespace: "shop", name: "told-queue" });
    assert.equal(Buffer.from(secret.data?.["QUEUE"] ?? "", "base64").toString(), object.status?.queueURL);
  });

  test("of a paused object is left alone, also when the object is deleted", async () => {
    const spec = { queueName: "still", delaySeconds: 1 };
    await world.put(SQSQueue, "still", spec);
    await world.ready(SQSQueue, "still");
    await world.put(SQSQueue, "still", { ...spec, delaySeconds: 2, management: { paused: true } });
    await world.reason(SQSQueue, "still", "Paused");
    await world.remove(SQSQueue, "still");
    await world.long(10 * 60_000);
    assert.equal((await look("still"))?.attributes["DelaySeconds"], "1");
    await world.put(SQSQueue, "still", { ...spec, management: { paused: false } });
    await world.gone(SQSQueue, "still");
    assert.equal(await look("still"), undefined);
  });

  test("belongs to the older of two objects of its name, and to the other when that is gone", async () => {
    await world.put(SQSQueue, "first", { queueName: "shared", delaySeconds: 1, deletionPolicy: "Orphan" });
    await world.ready(SQSQueue, "first");
    await world.put(SQSQueue, "second", {
      queueName: "shared",
      delaySeconds: 2,
      management: { adopt: { byName: true } },
    });
    await world.reason(SQSQueue, "second", "NameTaken");
    assert.equal((await look("shared"))?.attributes["DelaySeconds"], "1");
    await world.remove(SQSQueue, "first");
    await world.ready(SQSQueue, "second");
    assert.equal((await look("shared"))?.attributes["DelaySeconds"], "2");
  });

  test("that somebody else writes again and again is given up, by name of the field, and taken up later", async () => {
    const management = { drift: { interval: "30s" } };
    await world.put(SQSQueue, "fought", { queueName: "fought", delaySeconds: 7, management });
    await world.ready(SQSQueue, "fought");
    let looped = false;
    for (let round = 0; round < 40 && !looped; round++) {
      if ((await look("fought"))?.attributes["DelaySeconds"] === "7") await meddle("fought", { DelaySeconds: "1" });
      await world.long(30_000);
      const ready = (await world.get(SQSQueue, "fought"))?.status?.conditions?.find(({ type }) => type === "Ready");
      looped = ready?.reason === "WriteLoop" && ready.message.includes("delaySeconds");
    }
    assert.ok(looped);
    await world.long(15 * 60_000);
    await world.ready(SQSQueue, "fought");
  });

  test("whose object is deleted before anything was made leaves nothing", async () => {
    await world.put(SQSQueue, "brief", { queueName: "brief", providerRef: { name: "none" } });
    await world.reason(SQSQueue, "brief", "ProviderNotReady");
    await world.remove(SQSQueue, "brief");
    await world.gone(SQSQueue, "brief");
    const { QueueUrls = [] } = await sdk((sqs) => sqs.send(new ListQueuesCommand({ QueueNamePrefix: "brief" })));
    assert.deepEqual(QueueUrls, []);
  });
});

suite("a queue on an AWS that is behind and loses answers", () => {
  /** Of these operations the next answer is lost, once each. */
  const lost = new Set<string>();
  before(async () => {
    world = await createInfraWorld({
      pace: { durations: 1, lag: true },
      faults: { after: ({ operation }) => (lost.delete(operation) ? { kind: "lose reply" } : undefined) },
    });
  });
  after(() => world[Symbol.asyncDispose]());

  test("is changed once for each change of its spec, and ends as the last one says", async () => {
    await world.put(SQSQueue, "steady", { queueName: "steady", delaySeconds: 1 });
    await world.ready(SQSQueue, "steady");
    const before = changes();
    for (const delaySeconds of [2, 1, 3, 1]) {
      await world.put(SQSQueue, "steady", { queueName: "steady", delaySeconds });
      await world.ready(SQSQueue, "steady");
    }
    await world.long(5 * 60_000);
    assert.equal(changes(), before + 4);
    assert.equal((await look("steady"))?.attributes["DelaySeconds"], "1");
    const object = await world.get(SQSQueue, "steady");
    assert.equal(object?.status?.ready, true);
  });

  test("goes on after a crash at every call that changes something", async () => {
    const steps: readonly (readonly [operation: string, step: () => Promise<unknown>])[] = [
      ["CreateQueue", () => world.put(SQSQueue, "hard", { queueName: "hard", delaySeconds: 1, tags: { a: "1" } })],
      ["SetQueueAttributes", () => world.put(SQSQueue, "hard", { queueName: "hard", tags: { a: "1" } })],
      ["TagQueue", () => world.put(SQSQueue, "hard", { queueName: "hard", tags: { a: "2" } })],
      ["UntagQueue", () => world.put(SQSQueue, "hard", { queueName: "hard" })],
    ];
    for (const [operation, step] of steps) {
      const before = world.calls({ operation }).length;
      lost.add(operation);
      await step();
      await world.time.until(operation, () => world.calls({ operation }).length > before);
      await world.crash();
      await world.ready(SQSQueue, "hard");
    }
    await world.long(2 * 60_000);
    const queue = await look("hard");
    assert.equal(queue?.attributes["DelaySeconds"], "0");
    assert.equal(queue?.tags["a"], undefined);
    assert.equal(queue?.tags[OWNER], (await world.get(SQSQueue, "hard"))?.metadata.uid);
    lost.add("DeleteQueue");
    await world.remove(SQSQueue, "hard");
    await world.time.until("DeleteQueue", () => world.calls({ operation: "DeleteQueue" }).length > 0);
    await world.crash();
    await world.gone(SQSQueue, "hard");
    assert.equal(await look("hard"), undefined);
  });

  test("is made again under the same name as soon as SQS gives that name out", async () => {
    await world.put(SQSQueue, "again", { queueName: "again" });
    await world.ready(SQSQueue, "again");
    await world.remove(SQSQueue, "again");
    await world.gone(SQSQueue, "again");
    await world.put(SQSQueue, "again", { queueName: "again" });
    const object = await world.ready(SQSQueue, "again");
    assert.equal((await look("again"))?.tags[OWNER], object.metadata.uid);
  });
});
