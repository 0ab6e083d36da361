import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { createHttpSend, staticCredentials } from "@gatewright/aws";
import { ALL_KINDS, createPlanner, planText } from "@gatewright/infra";
import type { KubeObject } from "@gatewright/kube";
import { core, events } from "@gatewright/kube/api";
import { seededRandom, systemClock } from "@gatewright/ports";
import type { Clock } from "@gatewright/ports";
import { RDSInstance, SQSQueue } from "@gatewright/resources";
import { createInfraWorld } from "./infra-world.ts";
import type { InfraWorld } from "./infra-world.ts";

const base64 = (text: string): string => Buffer.from(text).toString("base64");

suite("references, outputs and plans", () => {
  let world: InfraWorld;
  before(async () => {
    world = await createInfraWorld();
  });
  after(() => world[Symbol.asyncDispose]());

  const secret = (name: string) => world.user.for(core.Secret).find({ namespace: "shop", name });
  const writeSecret = (name: string, values: Readonly<Record<string, string>>, labels: Record<string, string> = {}) =>
    world.user.for(core.Secret).apply({
      metadata: { namespace: "shop", name, labels },
      data: Object.fromEntries(Object.entries(values).map(([key, value]) => [key, base64(value)])),
    });
  /** How often a database was made, and how often changed. */
  const databaseWrites = (): readonly number[] =>
    ["CreateDBInstance", "ModifyDBInstance"].map((operation) => world.calls({ service: "rds", operation }).length);
  const database = {
    dbInstanceIdentifier: "orders",
    engine: "postgres",
    dbInstanceClass: "db.t4g.small",
    allocatedStorage: 20,
    masterUsername: "shop",
    masterUserPasswordSecretRef: { name: "db", key: "password" },
    skipFinalSnapshot: true,
    deletionPolicy: "Delete",
    writeOutputsTo: { name: "orders-db", data: { URL: "postgres://${username}@${endpoint}:${port}" } },
  };

  test("a queue waits for its dead-letter queue, and that one for the queue when both go", async () => {
    await world.put(SQSQueue, "orders", {
      queueName: "orders",
      deadLetterQueue: { queueRef: { name: "failed" }, maxReceiveCount: 3 },
    });
    const waiting = await world.reason(SQSQueue, "orders", "WaitingForReference");
    const message = waiting.status?.conditions?.find(({ type }) => type === "Ready")?.message ?? "";
    assert.match(message, /there is no SQSQueue failed yet/);
    assert.equal(world.calls({ operation: "CreateQueue" }).length, 0);
    await world.put(SQSQueue, "failed", { queueName: "failed" });
    await world.ready(SQSQueue, "orders");
    assert.equal(world.calls({ operation: "CreateQueue" }).length, 2);

    await world.remove(SQSQueue, "failed");
    await world.reason(SQSQueue, "failed", "InUse");
    assert.equal(world.calls({ operation: "DeleteQueue" }).length, 0);
    await world.remove(SQSQueue, "orders");
    await world.gone(SQSQueue, "failed");
    assert.equal(world.calls({ operation: "DeleteQueue" }).length >= 2, true);
  });

  test("a password is waited for, written once, and written again when the Secret's content changes and not when its labels do", async () => {
    await world.put(RDSInstance, "orders", database);
    await world.reason(RDSInstance, "orders", "WaitingForReference");
    await writeSecret("db", { other: "x" });
    await world.long(5_000);
    await world.reason(RDSInstance, "orders", "WaitingForReference");
    await writeSecret("db", { password: "first-password" });
    await world.ready(RDSInstance, "orders");
    assert.deepEqual(databaseWrites(), [1, 0]);

    await writeSecret("db", { password: "first-password" }, { some: "label" });
    await world.long(10_000);
    assert.deepEqual(databaseWrites(), [1, 0]);
    await writeSecret("db", { password: "second-password" });
    await world.time.until("the new password is written", async () => databaseWrites()[1] === 1);
    await world.ready(RDSInstance, "orders");
    await world.long(60_000);
    assert.deepEqual(databaseWrites(), [1, 1]);
  });

  test("outputs go to a Secret by their template, and nothing secret stands anywhere else", async () => {
    const written = await world.time.until(
      "outputs",
      () => secret("orders-db"),
      (seen) => seen !== undefined,
    );
    const url = Buffer.from(written?.data?.["URL"] ?? "", "base64").toString();
    assert.match(url, /^postgres:\/\/shop@[a-z0-9.-]+:5432$/);
    const object = await world.get(RDSInstance, "orders");
    const { items } = await world.user.for(events.Event).list({});
    const told = JSON.stringify([object?.status, items]);
    for (const hidden of ["first-password", "second-password"]) assert.ok(!told.includes(hidden));
  });

  test("a plan made before the change is applied names the hash that the operator then asks for, and approval replaces", async () => {
    const { endpoint, credentials, systemClockOffset } = world.sdk();
    const http = createHttpSend();
    const clock: Clock = {
      now: () => systemClock.now() + systemClockOffset,
      monotonic: () => systemClock.monotonic(),
      timer: (ms, fire) => systemClock.timer(ms, fire),
    };
    const planner = createPlanner({
      client: world.user,
      kinds: ALL_KINDS,
      clock,
      random: seededRandom(9),
      send: http.send,
      endpoint,
      credentials: staticCredentials(credentials),
    });
    const { group, version, kind } = RDSInstance;
    const spec = { providerRef: { name: "aws" }, ...database, storageEncrypted: true };
    const file: KubeObject = {
      apiVersion: `${group}/${version}`,
      kind,
      metadata: { namespace: "shop", name: "orders" },
      spec,
    };
    try {
      const [forecast] = await planner.plan([file], "apply", new AbortController().signal);
      assert.equal(forecast?.action, "Replace", JSON.stringify(forecast));
      assert.match(planText([forecast]), /storageEncrypted .*\(cannot be changed in place\)/);
      await world.put(RDSInstance, "orders", { ...database, storageEncrypted: true });
      const waits = await world.time.until(
        "the plan is in the status",
        () => world.get(RDSInstance, "orders"),
        (seen) => seen?.status?.plan !== undefined,
      );
      assert.equal(waits?.status?.plan?.hash, forecast?.approval?.hash);
      assert.equal(world.calls({ operation: "DeleteDBInstance" }).length, 0);
      const approve = { "aws-infra-operator.runner.codes/approve": forecast?.approval?.hash ?? "" };
      await world.put(RDSInstance, "orders", { ...database, storageEncrypted: true }, approve);
      await world.time.until(
        "it is made anew",
        async () => world.calls({ operation: "CreateDBInstance" }).length === 2,
      );
      await world.ready(RDSInstance, "orders");
      const [nothing] = await planner.plan([file], "apply", new AbortController().signal);
      assert.equal(nothing?.action, "Nothing", JSON.stringify(nothing));
    } finally {
      http.close();
    }
  });
});
