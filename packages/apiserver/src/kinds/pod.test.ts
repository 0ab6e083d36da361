import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { StatusError } from "@gatewright/kube";
import type { JsonObject, KubeObject } from "@gatewright/kube";
import type { DeleteRequest } from "../cluster.ts";
import type { ActionSubresource, WriteContext } from "../resources/resource.ts";
import { servedFor, writeContext } from "./recorded/replay.ts";

const { resource, version } = servedFor({ apiVersion: "v1", kind: "Pod" });
const action = (name: string): ActionSubresource => version.subresources.get(name) as ActionSubresource;

function pod(spec: JsonObject = {}, status: JsonObject = {}): KubeObject {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "p", namespace: "kinds", labels: { a: "b" } },
    spec,
    status,
  };
}

function budget(name: string, status: JsonObject): KubeObject {
  return {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { name, namespace: "kinds", generation: 1 },
    spec: { minAvailable: 1, selector: { matchLabels: { a: "b" } } },
    status: { observedGeneration: 1, desiredHealthy: 1, ...status },
  };
}

async function store(context: WriteContext, table: string, object: KubeObject): Promise<void> {
  const key = `kinds/${object.metadata.name}`;
  await context.cluster.store.table(table).write({ key, expected: undefined, object: () => object });
}

function stored(context: WriteContext, table: string, name: string): KubeObject {
  const objects = context.cluster.store.table(table);
  return objects.decode(objects.head(`kinds/${name}`)!);
}

describe("the grace of a deletion", () => {
  const grace = (object: KubeObject, asked?: number): number | undefined =>
    resource.strategy.gracePeriod?.(object, asked);
  const scheduled = { nodeName: "n", terminationGracePeriodSeconds: 30 };

  test("is what the client asks for, or else what the pod says", () => {
    assert.equal(grace(pod(scheduled)), 30);
    assert.equal(grace(pod(scheduled), 5), 5);
    assert.equal(grace(pod({ ...scheduled, terminationGracePeriodSeconds: -1 })), 1);
  });

  test("is nothing for pods that were never scheduled or have ended", () => {
    assert.equal(grace(pod({ terminationGracePeriodSeconds: 30 })), 0);
    assert.equal(grace(pod(scheduled, { phase: "Succeeded" }), 5), 0);
  });
});

describe("binding", () => {
  const bind = (context: WriteContext, target: JsonObject, name = "p"): Promise<KubeObject> =>
    action("binding").create({ metadata: { name, annotations: { x: "y" } }, target }, pod(), name, context);

  test("puts a pod on a node once, and tells of it in a condition", async () => {
    const context = writeContext();
    await store(context, "pods", pod());
    const answer = await bind(context, { kind: "Node", name: "n1" });
    assert.deepEqual(answer, { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 });
    const bound = stored(context, "pods", "p");
    assert.equal((bound["spec"] as JsonObject)["nodeName"], "n1");
    assert.deepEqual(bound.metadata.annotations, { x: "y" });
    assert.deepEqual((bound["status"] as JsonObject)["conditions"], [
      { type: "PodScheduled", status: "True", lastProbeTime: null, lastTransitionTime: "2026-11-15T12:00:00Z" },
    ]);
    const why = 'Operation cannot be fulfilled on pods/binding "p": pod p is already assigned to node "n1"';
    await assert.rejects(bind(context, { name: "n2" }), new RegExp(why));
  });

  test("refuses targets that are no nodes, with the status that the server has for it", async () => {
    const refused = bind(writeContext(), { kind: "Pod" });
    await assert.rejects(refused, (error) => {
      assert.ok(error instanceof StatusError);
      assert.equal(error.code, 500);
      const kind = 'target.kind: Unsupported value: "Pod": supported values: "Node", "<empty>"';
      assert.equal(error.message, `[${kind}, target.name: Required value]`);
      return true;
    });
  });
});

describe("eviction", () => {
  function evicting(budgets: readonly KubeObject[]): { context: WriteContext; deleted: DeleteRequest[] } {
    const base = writeContext();
    const deleted: DeleteRequest[] = [];
    const cluster = {
      ...base.cluster,
      list: () => budgets.values(),
      delete: async (_resource: unknown, _namespace: string, _name: string, options: DeleteRequest) =>
        void deleted.push(options),
    } as unknown as WriteContext["cluster"];
    return { context: { ...base, cluster }, deleted };
  }
  const evict = (context: WriteContext, object: KubeObject, body: JsonObject = {}): Promise<KubeObject> =>
    action("eviction").create({ metadata: { name: "p" }, ...body }, object, "p", context);
  const running = pod({}, { phase: "Running", conditions: [{ type: "Ready", status: "True" }] });

  test("deletes a pod that no budget covers, with the options that it carries", async () => {
    const { context, deleted } = evicting([]);
    await evict(context, running, { deleteOptions: { gracePeriodSeconds: 3, preconditions: { uid: "u" } } });
    assert.deepEqual(deleted, [{ gracePeriodSeconds: 3, uid: "u" }]);
  });

  test("is refused with 429 when the budget is used up", async () => {
    const { context, deleted } = evicting([budget("b", { disruptionsAllowed: 0, currentHealthy: 1 })]);
    await store(context, "poddisruptionbudgets.policy", budget("b", { disruptionsAllowed: 0, currentHealthy: 1 }));
    await assert.rejects(evict(context, running), (error) => {
      assert.ok(error instanceof StatusError);
      assert.equal(error.code, 429);
      assert.deepEqual(error.details?.causes, [
        { reason: "DisruptionBudget", message: "The disruption budget b needs 1 healthy pods and has 1 currently" },
      ]);
      return true;
    });
    assert.equal(deleted.length, 0);
  });

  test("takes from a budget what it allows", async () => {
    const open = budget("b", { disruptionsAllowed: 2, currentHealthy: 3 });
    const { context, deleted } = evicting([open]);
    await store(context, "poddisruptionbudgets.policy", open);
    await evict(context, running);
    assert.equal(deleted.length, 1);
    const status = stored(context, "poddisruptionbudgets.policy", "b")["status"] as JsonObject;
    assert.equal(status["disruptionsAllowed"], 1);
    assert.deepEqual(status["disruptedPods"], { p: "2026-11-15T12:00:00Z" });
  });

  test("asks nobody for a pod that does not run", async () => {
    const { context, deleted } = evicting([budget("b", { disruptionsAllowed: 0 })]);
    await evict(context, pod({}, { phase: "Pending" }));
    assert.equal(deleted.length, 1);
  });
});

test("one address of a pod and the list of all fill each other, and the single one wins", () => {
  const addresses = (status: JsonObject): unknown => {
    const { podIP, podIPs } = version.decode(pod({}, status)).object["status"] as JsonObject;
    return [podIP, podIPs];
  };
  const filled = ["10.1.1.1", [{ ip: "10.1.1.1" }]];
  assert.deepEqual(addresses({ podIP: "10.1.1.1" }), filled);
  assert.deepEqual(addresses({ podIPs: [{ ip: "10.1.1.1" }] }), filled);
  assert.deepEqual(addresses({ podIP: "10.1.1.1", podIPs: [{ ip: "10.2.2.2" }, { ip: "::1" }] }), filled);
  assert.deepEqual(addresses({}), [undefined, undefined]);
});
