import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { applications } from "@gatewright/applications";
import type { Immutable, Resource } from "@gatewright/kube";
import { apiextensions, apps, autoscaling, batch, core } from "@gatewright/kube/api";
import type { ManifestOf } from "@gatewright/kube/define";
import { crdOf } from "@gatewright/kube/define/manifests";
import { Application } from "@gatewright/resources";
import { controllerOf, createClient, createManager, isNotFound, loadTransport } from "@gatewright/runtime";
import { run } from "../tools/command.ts";
import { tools } from "../tools/layer.ts";
import { suite } from "../tools/suite.ts";
import { eventually } from "./eventually.ts";
import { realKube } from "./kube.ts";

const kube = realKube();
const NAMESPACE = "applications";
type Spec = ManifestOf<typeof Application>["spec"];

suite("Applications on a real control plane", "missing" in kube ? kube.missing : false, () => {
  if ("missing" in kube) return;
  const at = (name: string) => ({ namespace: NAMESPACE, name });
  const stopping = new AbortController();
  let end = async (): Promise<void> => {};
  let user: ReturnType<typeof createClient>;

  before(async () => {
    const { transport } = await loadTransport({ kubeconfig: kube.kubeconfig });
    user = createClient(transport, { fieldManager: "user" });
    await user.for(apiextensions.CustomResourceDefinition).apply(crdOf(Application));
    await user.for(core.Namespace).apply({ metadata: { name: NAMESPACE } });
    const served = async () => {
      const { status, body } = await user.request({
        method: "GET",
        path: "/apis/cloudnative.elide.dev/v1/applications",
      });
      for await (const _ of body);
      return status;
    };
    await eventually("the kind", served, (status) => status === 200);
    const manager = createManager({ name: "applications", transport });
    manager.add(applications());
    const running = manager.run(stopping.signal);
    end = async () => {
      stopping.abort();
      await running;
      await user.for(core.Namespace).delete({ name: NAMESPACE });
      transport.close();
    };
  });
  after(() => end());

  const create = (name: string, spec: Spec) => user.for(Application).apply({ metadata: at(name), spec });
  const patch = (name: string, spec: object) => user.for(Application).patch(at(name), { merge: { spec } });
  const condition = (app: Immutable<Application>, type: string) =>
    app.status?.conditions?.find((each) => each.type === type);
  const untilApp = (name: string, what: string, holds: (app: Immutable<Application>) => boolean) =>
    eventually(`${name} is ${what}`, () => user.for(Application).get(at(name)), holds);
  /** Ready, and said of the newest spec. */
  const ready = (name: string) =>
    untilApp(name, "ready", (app) => {
      const { status, observedGeneration } = condition(app, "Ready") ?? {};
      return status === "True" && observedGeneration === app.metadata.generation;
    });
  const deployment = (name: string) => user.for(apps.Deployment).get(at(name));
  const gone = (resource: Resource, name: string) =>
    eventually(
      `the end of ${resource.kind} ${name}`,
      () => user.for(resource).find(at(name)),
      (seen) => seen === undefined,
    );
  const podsOf = async (name: string) =>
    (
      await user
        .for(core.Pod)
        .list({ namespace: NAMESPACE, labelSelector: `cloudnative.elide.dev/application=${name}` })
    ).items;

  test("one is created and becomes ready, with a Service in front", async () => {
    await create("web", { image: "nginx", replicas: 2, config: { key: "value" }, ports: [{ port: 80 }] });
    const app = await ready("web");
    assert.equal(app.status?.phase, "Running");
    assert.deepEqual([app.status?.replicas, app.status?.readyReplicas], [2, 2]);
    assert.equal(condition(app, "Ready")?.reason, "ReconciliationSucceeded");
    assert.equal(condition(app, "Available")?.status, "True");
    assert.equal(app.status?.url, `http://web.${NAMESPACE}.svc`);
    assert.equal((await user.for(core.Service).get(at("web"))).spec?.ports?.[0]?.targetPort, 80);
  });

  const found = tools("1.36");
  test("kubectl scales it and waits for it", { skip: "missing" in found && found.missing }, async () => {
    const call = async (...args: readonly string[]): Promise<string> => {
      if ("missing" in found) return "";
      const all = ["--kubeconfig", kube.kubeconfig, "-n", NAMESPACE, ...args];
      const { code, stdout, stderr } = await run(found.kubectl, all);
      assert.equal(code, 0, stderr);
      return stdout;
    };
    await call("scale", "application/web", "--replicas=3");
    await untilApp("web", "looked at", ({ metadata, status }) => status?.observedGeneration === metadata.generation);
    await call("wait", "--for=condition=Ready", "application/web", "--timeout=60s");
    assert.equal((await deployment("web")).status?.readyReplicas, 3);
    const table = await call("get", "app", "web");
    assert.match(
      table,
      /NAME\s+PHASE\s+READY\s+REPLICAS\s+REASON\s+AGE\s+web\s+Running\s+3\s+3\s+ReconciliationSucceeded/,
    );
  });

  test("it is scaled by its scale subresource", async () => {
    await user
      .for(Application)
      .subresource("scale")
      .patch(at("web"), { merge: { spec: { replicas: 4 } } });
    const app = await ready("web");
    assert.equal(app.status?.readyReplicas, 4);
    const scale = await user.for(Application).subresource<{ status: { selector: string } }>("scale").get(at("web"));
    assert.equal(scale.status.selector, "cloudnative.elide.dev/application=web");
  });

  test("another config replaces the pods and then removes the old config", async () => {
    const before = new Set((await podsOf("web")).map(({ metadata }) => metadata.uid));
    await patch("web", { config: { key: "another" } });
    await ready("web");
    const pods = await eventually(
      "only new pods",
      () => podsOf("web"),
      (seen) => seen.length === 4 && seen.every(({ metadata }) => !before.has(metadata.uid)),
    );
    assert.equal(pods.length, 4);
    const maps = () =>
      user.for(core.ConfigMap).list({ namespace: NAMESPACE, labelSelector: "cloudnative.elide.dev/application=web" });
    const { items } = await eventually("one ConfigMap", maps, (seen) => seen.items.length === 1);
    assert.deepEqual(items[0]?.data, { key: "another" });
  });

  test("strategies, probes and variables can be changed into one another", async () => {
    await patch("web", {
      strategy: "Recreate",
      env: [{ name: "A", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } }],
      probes: { readiness: { httpGet: { port: "http" } } },
    });
    await ready("web");
    assert.equal((await deployment("web")).spec?.strategy?.type, "Recreate");
    await patch("web", {
      strategy: "RollingUpdate",
      env: [{ name: "A", value: "b" }],
      probes: { readiness: { httpGet: null, tcpSocket: { port: 80 } } },
    });
    await ready("web");
    const { spec } = await deployment("web");
    const [container] = spec?.template.spec?.containers ?? [];
    assert.deepEqual(container?.env, [{ name: "A", value: "b" }]);
    assert.equal(container?.readinessProbe?.httpGet, undefined);
    assert.equal(container?.readinessProbe?.tcpSocket?.port, 80);
    assert.equal(spec?.strategy?.type, "RollingUpdate");
  });

  test("what was meddled with is put right, and a Service without ports goes", async () => {
    await user.for(apps.Deployment).patch(at("web"), { merge: { spec: { replicas: 1 } } });
    await eventually(
      "four replicas again",
      () => deployment("web"),
      ({ spec }) => spec?.replicas === 4,
    );
    await user.for(apps.Deployment).delete(at("web"), { propagation: "Foreground" });
    await eventually(
      "another Deployment",
      () => user.for(apps.Deployment).find(at("web")),
      (seen) => seen !== undefined && seen.metadata.deletionTimestamp === undefined,
    );
    await ready("web");
    await patch("web", { ports: null });
    await gone(core.Service, "web");
  });

  test("the autoscaler takes over the replicas that there are, and gives them back", async () => {
    await patch("web", { autoscaling: { minReplicas: 2, maxReplicas: 6 } });
    await eventually(
      "the autoscaler",
      () => user.for(autoscaling.HorizontalPodAutoscaler).find(at("web")),
      (seen) => seen !== undefined,
    );
    await ready("web");
    assert.equal((await deployment("web")).spec?.replicas, 4);
    await patch("web", { autoscaling: { minReplicas: 5 } });
    await eventually(
      "five replicas",
      () => deployment("web"),
      ({ spec }) => spec?.replicas === 5,
    );
    await patch("web", { autoscaling: null });
    await gone(autoscaling.HorizontalPodAutoscaler, "web");
    await eventually(
      "four replicas again",
      () => deployment("web"),
      ({ spec }) => spec?.replicas === 4,
    );
  });

  test("a quota that is used up is told", async () => {
    const quota = { metadata: at("pods"), spec: { hard: { pods: String((await podsOf("web")).length + 1) } } };
    await ready("web");
    await user.for(core.ResourceQuota).create(quota);
    await eventually(
      "the quota's status",
      () => user.for(core.ResourceQuota).get(at("pods")),
      ({ status }) => status?.used !== undefined,
    );
    await create("greedy", { image: "nginx", replicas: 5 });
    const app = await untilApp(
      "greedy",
      "told of its quota",
      (seen) => condition(seen, "Ready")?.reason === "QuotaExceeded",
    );
    assert.match(condition(app, "Ready")?.message ?? "", /exceeded quota: pods/);
    await user.for(core.ResourceQuota).delete(at("pods"));
    await user.for(Application).delete(at("greedy"));
    await gone(apps.Deployment, "greedy");
  });

  test("what runs to completion runs once, and again when its spec changes", async () => {
    await create("migrate", { image: "migrate:1", runToCompletion: true, config: { to: "1" } });
    const app = await untilApp("migrate", "done", ({ status }) => status?.phase === "Succeeded");
    assert.equal(condition(app, "Ready")?.reason, "ReconciliationSucceeded");
    const first = await user.for(batch.Job).get(at("migrate"));
    assert.equal(first.status?.succeeded, 1);
    await patch("migrate", { image: "migrate:2" });
    const second = await eventually(
      "another Job",
      () => user.for(batch.Job).find(at("migrate")),
      (seen) => seen !== undefined && seen.metadata.uid !== first.metadata.uid,
    );
    assert.equal(second?.spec?.template.spec?.containers[0]?.image, "migrate:2");
    await untilApp(
      "migrate",
      "done again",
      ({ metadata, status }) => status?.phase === "Succeeded" && status.observedGeneration === metadata.generation,
    );
    await patch("migrate", { runToCompletion: false });
    await gone(batch.Job, "migrate");
    await ready("migrate");
  });

  test("an object of the same name that is not its own is left alone", async () => {
    await user.for(core.Service).create({ metadata: at("taken"), spec: { ports: [{ port: 1 }] } });
    await create("taken", { image: "nginx", ports: [{ port: 80 }] });
    const app = await untilApp(
      "taken",
      "told of the Service",
      (seen) => condition(seen, "Ready")?.reason === "NameTaken",
    );
    assert.equal(app.status?.phase, "Failed");
    const service = await user.for(core.Service).get(at("taken"));
    assert.deepEqual([service.spec?.ports?.[0]?.port, controllerOf(service)], [1, undefined]);
  });

  test("nothing is left of one that is deleted", async () => {
    for (const name of ["web", "migrate"]) await user.for(Application).delete(at(name));
    for (const name of ["web", "migrate"]) await gone(apps.Deployment, name);
    await eventually(
      "no pods",
      async () => [...(await podsOf("web")), ...(await podsOf("migrate"))],
      (pods) => pods.length === 0,
    );
    await assert.rejects(user.for(Application).get(at("web")), isNotFound);
  });
});
