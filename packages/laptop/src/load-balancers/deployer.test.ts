import assert from "node:assert/strict";
import { test } from "node:test";
import type { Call, Fault } from "@gatewright/local-aws";
import { Deployer } from "./deployer.ts";
import type { GatewayModel } from "./model/model.ts";
import { listener, object, parent, rule } from "./testing/object-view.ts";
import { modelOf, service } from "./testing/sample-model.ts";
import { told } from "./testing/told.ts";
import { insisting, virtualAws } from "./testing/virtual-aws.ts";
import type { VirtualAws } from "./testing/virtual-aws.ts";
import { TargetBook } from "./targets/target-book.ts";
import { TargetRegister } from "./targets/target-register.ts";

const { signal } = new AbortController();
const TARGET = { id: "10.244.0.1", port: 8080 };

const listeners = [listener("http", 80), listener("other", 8080)];
const route = (name: string, spec: object) => object("HTTPRoute", name, { parentRefs: [parent()], ...spec });
const exact = (path: string) => ({ path: { type: "Exact", value: path } });
const services = [service("a"), service("b")];
const before = modelOf(
  [...services, route("r", { rules: [rule([{ name: "a" }], [exact("/one"), exact("/two"), exact("/three")])] })],
  { listeners },
);
/** Rules change places, one changes what it does, others come and go, and so do a listener and a group. */
const afterwards = modelOf(
  [
    ...services,
    route("r", {
      parentRefs: [parent({ sectionName: "http" })],
      rules: [rule([{ name: "b" }], [exact("/three"), exact("/a-new-one")]), rule([{ name: "a" }], [exact("/two")])],
    }),
  ],
  { listeners },
);

function deployer({ aws, clock }: Pick<VirtualAws, "aws" | "clock">): Deployer {
  return new Deployer({ aws, clock, cluster: "test", book: new TargetBook(), register: new TargetRegister(aws) });
}

async function whatModelsGive(models: readonly GatewayModel[]): Promise<unknown> {
  const world = await virtualAws();
  const fresh = deployer(world);
  for (const model of models) await world.passing(fresh.deploy(model, () => [TARGET], signal));
  return told(world.aws);
}

test("what is deployed is what the model says; deployed again it takes no calls that change anything", async () => {
  const world = await virtualAws();
  const { steps } = await world.passing(deployer(world).deploy(before, () => [TARGET], signal));
  assert.ok(steps > 0);
  // Another process, which remembers nothing.
  const again = await world.passing(deployer(world).deploy(before, () => [TARGET], signal));
  assert.equal(again.steps, 0);
});

test("a change ends where a fresh start with it would", async () => {
  assert.deepEqual(await whatModelsGive([before, afterwards]), await whatModelsGive([afterwards]));
  assert.deepEqual(await whatModelsGive([afterwards, before]), await whatModelsGive([before]));
});

test("another scheme is another load balancer, and the old one is gone", async () => {
  const facing = {
    ...before,
    loadBalancer: { ...before.loadBalancer, scheme: "internet-facing", name: "new" },
  } as const;
  assert.deepEqual(await whatModelsGive([before, facing]), await whatModelsGive([facing]));
});

test("a new process that cannot make a Gateway still knows whose targets its groups have", async () => {
  const world = await virtualAws();
  await world.passing(deployer(world).deploy(before, () => [TARGET], signal));
  const book = new TargetBook();
  const { aws, clock } = world;
  const next = new Deployer({ aws, clock, cluster: "test", book, register: new TargetRegister(aws) });
  await world.passing(next.recall(before.stack, signal));
  assert.deepEqual(
    book.of({ namespace: "shop", name: "a" }).map(({ binding }) => binding),
    before.targetGroups.map(({ binding }) => binding),
  );
});

const TROUBLE: readonly { readonly fault: Fault; readonly after?: boolean }[] = [
  { fault: { kind: "throttle" } },
  { fault: { kind: "drop" } },
  { fault: { kind: "lose reply" } },
  { fault: { kind: "error", code: "InternalFailure", status: 500 }, after: true },
];

for (const { fault, after = false } of TROUBLE) {
  const name = fault.kind === "error" ? "an error that lies" : fault.kind;
  test(`trouble at any one write leaves nothing twice and nothing behind: ${name}`, async () => {
    const wanted = await whatModelsGive([before, afterwards]);
    let reached = true;
    for (let at = 1; reached; at++) {
      let seen = 0;
      let armed = true;
      const strike = ({ operation }: Call): Fault | undefined =>
        armed && !operation.startsWith("Describe") && ++seen === at ? fault : undefined;
      const world = await virtualAws(after ? { after: strike } : { before: strike });
      const own = deployer(world);
      for (const model of [before, afterwards]) {
        await world.passing(insisting(() => own.deploy(model, () => [TARGET], signal)));
      }
      armed = false;
      assert.deepEqual(await told(world.aws), wanted, `at call ${at}`);
      armed = true;
      await world.passing(insisting(() => own.remove(before.stack, signal)));
      reached = seen >= at;
      armed = false;
      assert.deepEqual(await told(world.aws), [[], []], `at call ${at}`);
    }
  });
}
