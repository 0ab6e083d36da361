import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { CoreV1Api, KubeConfig, KubernetesObjectApi, makeInformer } from "@kubernetes/client-node";
import type { V1ConfigMap } from "@kubernetes/client-node";
import { startWorld } from "../tools/world.ts";
import type { World } from "../tools/world.ts";

/** The official JavaScript client: nobody here wrote it, so it is a judge. */
describe("@kubernetes/client-node", () => {
  let world: World;
  let config: KubeConfig;
  before(async () => {
    world = await startWorld();
    config = new KubeConfig();
    config.loadFromFile(world.kubeconfig);
  });
  after(() => world[Symbol.asyncDispose]());

  const until = async (met: () => boolean): Promise<void> => {
    while (!met()) await new Promise((resolve) => setImmediate(resolve));
  };

  test("its informer sees what is there, what comes, what changes and what goes", async () => {
    const core = config.makeApiClient(CoreV1Api);
    const make = (name: string, value: string): V1ConfigMap => ({ metadata: { name }, data: { value } });
    await core.createNamespacedConfigMap({ namespace: "default", body: make("before", "1") });
    const seen: string[] = [];
    const informer = makeInformer<V1ConfigMap>(config, "/api/v1/namespaces/default/configmaps", () =>
      core.listNamespacedConfigMap({ namespace: "default" }),
    );
    const note = (what: string) => (object: V1ConfigMap) => {
      if (object.metadata?.name !== "kube-root-ca.crt")
        seen.push(`${what} ${object.metadata?.name} ${object.data?.["value"]}`);
    };
    informer.on("add", note("add"));
    informer.on("update", note("update"));
    informer.on("delete", note("delete"));
    await informer.start();
    await until(() => seen.includes("add before 1"));
    await core.createNamespacedConfigMap({ namespace: "default", body: make("later", "1") });
    await until(() => seen.includes("add later 1"));
    await core.replaceNamespacedConfigMap({ namespace: "default", name: "later", body: make("later", "2") });
    await until(() => seen.includes("update later 2"));
    await core.deleteNamespacedConfigMap({ namespace: "default", name: "before" });
    await until(() => seen.includes("delete before 1"));
    assert.equal(informer.get("later", "default")?.data?.["value"], "2");
    await informer.stop();
  });

  test("its object API creates, reads, patches and deletes any kind", async () => {
    const objects = KubernetesObjectApi.makeApiClient(config);
    const spec = {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "web", namespace: "default" },
      spec: {
        selector: { matchLabels: { app: "web" } },
        template: { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "web", image: "nginx" }] } },
      },
    };
    const created = (await objects.create(spec)) as typeof spec & { spec: { replicas: number } };
    assert.equal(created.spec.replicas, 1);
    await objects.patch({ ...spec, spec: { ...spec.spec, replicas: 3 } } as typeof spec);
    const read = (await objects.read(spec)) as unknown as { spec: { replicas: number } };
    assert.equal(read.spec.replicas, 3);
    const listed = await objects.list("apps/v1", "Deployment", "default");
    assert.equal(listed.items.length, 1);
    await objects.delete(spec);
    await assert.rejects(objects.read(spec), { code: 404 });
  });
});
