import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { core } from "@gatewright/kube/api";
import { createClient, loadTransport } from "@gatewright/runtime";
import type { Client } from "@gatewright/runtime";
import { judgeManifests, KubeClient, renderChart } from "../../../testbed/index.ts";
import { releaseOf, rendered } from "../../chart/rendered.ts";
import { VALUE_SETS } from "../../chart/value-sets.ts";
import { tools } from "../../tools/layer.ts";
import { suite } from "../../tools/suite.ts";
import { eventually } from "../eventually.ts";
import { realKube } from "../kube.ts";
import { installOthersKinds } from "../others-kinds.ts";

const kube = realKube();
const found = "missing" in kube ? kube : tools("1.36");

/** Kinds of others that this server does not have; what is in these objects is judged without it. */
const OTHERS = ["Certificate", "PodMonitor", "PrometheusRule", "ServiceMonitor"];
const SETS = VALUE_SETS.toSorted(
  (one, other) => Number(other.chart === "gatewright-crds") - Number(one.chart === "gatewright-crds"),
);

suite("our charts on a real API server", "missing" in found && found.missing, () => {
  if ("missing" in kube || "missing" in found) return;
  const { helm } = found;
  const ended = new AsyncDisposableStack();
  const asked = new KubeClient(kube);
  let admin: Client;

  before(async () => {
    ended.defer(() => asked.close());
    const { transport } = await loadTransport({ kubeconfig: kube.kubeconfig });
    ended.defer(() => transport.close());
    admin = createClient(transport, { fieldManager: "platform" });
    await installOthersKinds(admin);
  });
  after(() => ended.disposeAsync());

  for (const set of SETS) {
    test(`${set.chart}, ${set.about}: every object is taken`, async () => {
      const manifests = await renderChart(helm, releaseOf(set));
      const refusals = await judgeManifests(asked, manifests, set.namespace);
      assert.deepEqual(
        refusals.filter(({ kind, why }) => !(OTHERS.includes(kind) && / has no /.test(why))),
        [],
      );
      const known = manifests.filter(({ kind }) => !OTHERS.includes(kind));
      assert.ok(known.length > 0);
    });
  }

  test("pods of all charts may run where only restricted ones may", async () => {
    const name = "charted-restricted";
    const labels = { "pod-security.kubernetes.io/enforce": "restricted" };
    await admin.for(core.Namespace).apply({ metadata: { name, labels } });
    const dryRun = (spec: object) =>
      asked.ask("POST", `/api/v1/namespaces/${name}/pods?dryRun=All`, {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: "pod" },
        spec: { ...spec, serviceAccountName: "default", priorityClassName: "" },
      });
    await eventually(
      "the namespace has its service account",
      () => admin.for(core.ServiceAccount).find({ namespace: name, name: "default" }),
      (account) => account !== undefined,
    );
    for (const set of VALUE_SETS.filter(({ chart }) => chart !== "gatewright-crds")) {
      const { pod } = await rendered(helm, set);
      const { status, body } = await dryRun(pod);
      assert.equal(status, 201, `${set.about}: ${JSON.stringify(body)}`);
    }
    const { pod } = await rendered(helm, VALUE_SETS[0]!);
    const { status } = await dryRun({ ...pod, securityContext: {} });
    assert.equal(status, 403, "the server judges");
  });
});
