import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { apps, autoscaling, batch, core, events } from "@gatewright/kube/api";
import { Application } from "@gatewright/resources";
import type { ManifestOf } from "@gatewright/kube/define";
import { controllerOf } from "@gatewright/runtime";
import { createApplicationWorld } from "./testing/application-world.ts";
import type { ApplicationWorld } from "./testing/application-world.ts";

type Spec = ManifestOf<typeof Application>["spec"];

suite("applications", () => {
  let world: ApplicationWorld;
  before(async () => {
    world = await createApplicationWorld();
  });
  after(() => world[Symbol.asyncDispose]());

  const at = (name: string) => ({ namespace: "default", name });
  const create = (name: string, spec: Spec) =>
    world.user
      .for(Application)
      .create({ metadata: at(name), spec: { replicas: 1, strategy: "RollingUpdate", ...spec } as Application["spec"] });
  const patch = (name: string, spec: object) => world.user.for(Application).patch(at(name), { merge: { spec } });
  const condition = (app: { readonly status?: Readonly<Application>["status"] | object }, type: string) =>
    (app as Application).status?.conditions?.find((each) => each.type === type);
  const deploymentOf = (name: string) => world.user.for(apps.Deployment).get(at(name));

  test("an Application of a namespace that is being deleted makes nothing any more, and complains of nothing", async () => {
    const ref = { namespace: "going", name: "web" };
    await world.user.for(core.Namespace).create({ metadata: { name: "going" } });
    await world.user
      .for(Application)
      .create({ metadata: ref, spec: { image: "nginx", config: { a: "b" } } as Spec as never });
    await world.until(
      "the Deployment",
      () => world.user.for(apps.Deployment).find(ref),
      (seen) => seen !== undefined,
    );
    const reasons = new Set<string | undefined>();
    const ending = new AbortController();
    const watching = (async () => {
      const { signal } = ending;
      for await (const event of world.user
        .for(Application)
        .watch({ namespace: "going", sendInitialEvents: true, signal }))
        if ("object" in event) reasons.add(condition(event.object, "Ready")?.reason);
    })();
    await world.user.for(core.Namespace).delete({ name: "going" });
    await world.until(
      "the end of the namespace",
      () => world.user.for(core.Namespace).find({ name: "going" }),
      (seen) => seen === undefined,
    );
    ending.abort();
    await watching.catch(() => {});
    assert.ok(!reasons.has("Rejected"), [...reasons].join());
  });

  test("an Application becomes a Deployment, a Service and a ConfigMap that it controls, and is ready when they are", async () => {
    const app = await create("web", {
      image: "nginx",
      replicas: 2,
      config: { key: "value" },
      ports: [{ port: 8080 }],
    });
    const deployment = await world.made(apps.Deployment, "web");
    assert.equal(controllerOf(deployment)?.uid, app.metadata.uid);
    assert.equal(deployment.spec?.replicas, 2);
    const service = await world.made(core.Service, "web");
    assert.equal(controllerOf(service)?.uid, app.metadata.uid);
    const [volume] = deployment.spec?.template.spec?.volumes ?? [];
    const config = await world.made(core.ConfigMap, volume?.configMap?.name ?? "");
    assert.deepEqual(config.data, { key: "value" });

    const pending = await world.untilApp("web", ({ status }) => status?.phase === "Pending");
    assert.equal(condition(pending, "Ready")?.reason, "RollingOut");
    assert.equal(condition(pending, "Progressing")?.status, "True");
    await world.rollOut("web");
    const { status } = await world.untilApp("web", (seen) => seen.status?.phase === "Running");
    const { conditions, ...facts } = status ?? {};
    assert.deepEqual(facts, {
      observedGeneration: 1,
      replicas: 2,
      updatedReplicas: 2,
      readyReplicas: 2,
      selector: "cloudnative.elide.dev/application=web",
      phase: "Running",
      url: "http://web.default.svc:8080",
    });
    const told = conditions?.map((each) => [each.type, each.status, each.reason, each.observedGeneration]);
    assert.deepEqual(told, [
      ["Ready", "True", "ReconciliationSucceeded", 1],
      ["Progressing", "False", "RolloutComplete", 1],
      ["Available", "True", "MinimumReplicasAvailable", 1],
    ]);
  });

  test("it is not ready for a new spec because it was for the old one", async () => {
    await create("stale", { image: "a" });
    await world.made(apps.Deployment, "stale");
    await world.rollOut("stale");
    await world.untilApp("stale", (app) => condition(app, "Ready")?.status === "True");
    await patch("stale", { image: "b" });
    const seen = await world.untilApp("stale", ({ status }) => status?.observedGeneration === 2);
    assert.equal(condition(seen, "Ready")?.status, "False");
    assert.equal(condition(seen, "Available")?.status, "True");
    assert.equal(seen.status?.phase, "Running");
  });

  test("another config is another ConfigMap; the old one stays until no pod is of the old spec", async () => {
    const name = "configured";
    const configName = async () => (await deploymentOf(name)).spec?.template.spec?.volumes?.[0]?.configMap?.name ?? "";
    await create(name, { image: "a", config: { level: "1" } });
    await world.made(apps.Deployment, name);
    await world.rollOut(name);
    const first = await configName();
    await patch(name, { config: { level: "2" } });
    const second = await world.until("another config", configName, (now) => now !== first);
    await world.pass();
    await world.made(core.ConfigMap, first);
    await world.rollOut(name);
    await world.gone(core.ConfigMap, first);
    assert.deepEqual((await world.made(core.ConfigMap, second)).data, { level: "2" });
    await patch(name, { config: null });
    await world.until("no config", configName, (now) => now === "");
    await world.rollOut(name);
    await world.gone(core.ConfigMap, second);
  });

  test("what was meddled with is put right, and children that are no longer wanted go", async () => {
    await create("drift", { image: "a", replicas: 2, ports: [{ port: 80 }] });
    await world.made(core.Service, "drift");
    await world.made(apps.Deployment, "drift");
    await world.user.for(apps.Deployment).patch(at("drift"), { merge: { spec: { replicas: 9 } } });
    await world.until(
      "two replicas",
      () => deploymentOf("drift"),
      ({ spec }) => spec?.replicas === 2,
    );
    const { metadata } = await world.user.for(core.Service).get(at("drift"));
    await world.user.for(core.Service).delete(at("drift"));
    const anew = await world.until(
      "the Service",
      () => world.made(core.Service, "drift"),
      (seen) => seen.metadata.uid !== metadata.uid,
    );
    assert.equal(anew.spec?.ports?.[0]?.port, 80);
    await patch("drift", { ports: null });
    await world.gone(core.Service, "drift");
    const app = await world.untilApp("drift", ({ status }) => status?.observedGeneration === 2);
    assert.equal(app.status?.url, undefined);
  });

  test("strategies can be changed there and back", async () => {
    await create("strategic", { image: "a" });
    await world.made(apps.Deployment, "strategic");
    for (const strategy of ["Recreate", "RollingUpdate"]) {
      await patch("strategic", { strategy });
      await world.until(
        strategy,
        () => deploymentOf("strategic"),
        ({ spec }) => spec?.strategy?.type === strategy,
      );
    }
  });

  test("with autoscaling the number of replicas is kept within bounds and otherwise not touched", async () => {
    await create("scaled", { image: "a", replicas: 4 });
    await world.made(apps.Deployment, "scaled");
    await patch("scaled", { autoscaling: { minReplicas: 2, maxReplicas: 6 } });
    const autoscaler = await world.made(autoscaling.HorizontalPodAutoscaler, "scaled");
    assert.equal(autoscaler.spec.maxReplicas, 6);
    await world.pass();
    assert.equal((await deploymentOf("scaled")).spec?.replicas, 4);
    const scale = (replicas: number) =>
      world.user
        .for(apps.Deployment)
        .subresource("scale")
        .patch(at("scaled"), { merge: { spec: { replicas } } });
    await scale(5);
    await world.pass();
    assert.equal((await deploymentOf("scaled")).spec?.replicas, 5);
    await scale(1);
    await world.until(
      "two replicas",
      () => deploymentOf("scaled"),
      ({ spec }) => spec?.replicas === 2,
    );
    await patch("scaled", { autoscaling: null });
    await world.gone(autoscaling.HorizontalPodAutoscaler, "scaled");
    await world.until(
      "four replicas",
      () => deploymentOf("scaled"),
      ({ spec }) => spec?.replicas === 4,
    );
  });

  test("a new autoscaled Application starts with its fewest replicas", async () => {
    await create("bounded", { image: "a", autoscaling: { minReplicas: 3, maxReplicas: 6 } });
    await world.made(apps.Deployment, "bounded");
    await world.until(
      "three replicas",
      () => deploymentOf("bounded"),
      ({ spec }) => spec?.replicas === 3,
    );
  });

  test("an object of the same name that is not its own is left alone, and the condition says so", async () => {
    const foreign = { metadata: at("taken"), spec: { ports: [{ port: 1 }] } };
    await world.user.for(core.Service).create(foreign);
    await create("taken", { image: "a", ports: [{ port: 80 }] });
    const app = await world.untilApp("taken", (seen) => condition(seen, "Ready")?.reason === "NameTaken");
    assert.equal(app.status?.phase, "Failed");
    assert.match(
      condition(app, "Ready")?.message ?? "",
      /Service default\/taken exists already and nobody controls it/,
    );
    assert.equal((await world.user.for(core.Service).get(at("taken"))).spec?.ports?.[0]?.port, 1);
    await world.user.for(core.Service).delete(at("taken"));
    await world.made(apps.Deployment, "taken");
    const told = async () => {
      const { items } = await world.user.for(events.Event).list({ namespace: "default" });
      return items
        .filter(({ regarding }) => regarding?.name === "taken")
        .map(({ type, reason }) => `${type} ${reason}`);
    };
    await world.until("the event", told, (seen) => seen.includes("Warning NameTaken"));
  });

  test("pods that fail are told of in the condition", async () => {
    await create("broken", { image: "nope" });
    await world.made(apps.Deployment, "broken");
    const labels = { "cloudnative.elide.dev/application": "broken" };
    const containers = [{ name: "app", image: "nope" }];
    await world.user.for(core.Pod).create({ metadata: { ...at("broken-1"), labels }, spec: { containers } });
    const waiting = { reason: "ErrImagePull", message: "not found" };
    const containerStatuses = [
      { name: "app", image: "nope", imageID: "", ready: false, restartCount: 0, state: { waiting } },
    ];
    await world.user.for(core.Pod).status.patch(at("broken-1"), { merge: { status: { containerStatuses } } });
    const app = await world.untilApp("broken", (seen) => condition(seen, "Ready")?.reason === "ImagePullBackOff");
    assert.equal(app.status?.phase, "Failed");
    const message = "pod broken-1, container app: the image nope cannot be pulled: not found";
    assert.equal(condition(app, "Ready")?.message, message);
  });

  test("what runs to completion runs once, and again when its spec changes", async () => {
    await create("migrate", { image: "migrate:1", runToCompletion: true });
    const first = await world.made(batch.Job, "migrate");
    const finish = async (type: "Complete" | "Failed", reason: string) => {
      const known = { active: 0, uncountedTerminatedPods: {}, startTime: "2026-01-01T00:00:00Z" };
      const ends = [type === "Complete" ? "SuccessCriteriaMet" : "FailureTarget", type];
      const conditions = ends.map((each) => ({ type: each, status: "True", reason, message: "over" }));
      const more = type === "Complete" ? { succeeded: 1, completionTime: "2026-01-01T00:00:01Z" } : { failed: 1 };
      await world.user
        .for(batch.Job)
        .status.patch(at("migrate"), { merge: { status: { ...known, ...more, conditions } } });
    };
    await finish("Complete", "CompletionsReached");
    const app = await world.untilApp("migrate", ({ status }) => status?.phase === "Succeeded");
    assert.equal(condition(app, "Ready")?.reason, "ReconciliationSucceeded");
    await world.user.for(batch.Job).delete(at("migrate"), { propagation: "Background" });
    await world.pass();
    assert.equal(await world.user.for(batch.Job).find(at("migrate")), undefined);
    await patch("migrate", { image: "migrate:2" });
    const second = await world.made(batch.Job, "migrate");
    assert.notEqual(second.metadata.uid, first.metadata.uid);
    await finish("Failed", "BackoffLimitExceeded");
    const failed = await world.untilApp("migrate", ({ status }) => status?.phase === "Failed");
    assert.equal(condition(failed, "Ready")?.reason, "BackoffLimitExceeded");
    await patch("migrate", { image: "migrate:3" });
    const third = await world.until(
      "the third Job",
      () => world.made(batch.Job, "migrate"),
      (seen) => seen.metadata.uid !== second.metadata.uid,
    );
    assert.equal(third.spec?.template.spec?.containers[0]?.image, "migrate:3");
    await patch("migrate", { runToCompletion: false });
    await world.gone(batch.Job, "migrate");
    await world.made(apps.Deployment, "migrate");
  });

  test("children go with their Application, and one of the same name may come at once", async () => {
    const first = await create("again", { image: "a", config: { a: "b" } });
    const { spec } = await world.made(apps.Deployment, "again");
    await world.user.for(Application).delete(at("again"));
    const second = await create("again", { image: "a" });
    assert.notEqual(first.metadata.uid, second.metadata.uid);
    await world.gone(core.ConfigMap, spec?.template.spec?.volumes?.[0]?.configMap?.name ?? "");
    const owner = async () => controllerOf(await world.made(apps.Deployment, "again"))?.uid;
    await world.until("the new Deployment", owner, (uid) => uid === second.metadata.uid);
    await world.user.for(Application).delete(at("again"));
    await world.gone(apps.Deployment, "again");
  });

  test("conditions of others stay", async () => {
    await create("shared", { image: "a" });
    await world.made(apps.Deployment, "shared");
    const theirs = {
      type: "DatabaseReady",
      status: "True",
      reason: "ConnectionEstablished",
      message: "Database connection successful",
      lastTransitionTime: "2026-01-01T00:00:00Z",
    } as const;
    const status = { conditions: [theirs] };
    await world.user.for(Application).status.apply({ metadata: at("shared"), status });
    await world.rollOut("shared");
    const app = await world.untilApp("shared", (seen) => condition(seen, "Ready")?.status === "True");
    assert.equal(condition(app, "DatabaseReady")?.status, "True");
  });
});
