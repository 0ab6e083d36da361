import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { MINORS, tools } from "../tools/layer.ts";
import { clientOf, startWorld } from "../tools/world.ts";
import type { Client, World } from "../tools/world.ts";
import { suite } from "../tools/suite.ts";

const CHART: Readonly<Record<string, string>> = {
  "Chart.yaml": "apiVersion: v2\nname: shop\nversion: 0.1.0\n",
  "values.yaml": "replicas: 1\nimage: nginx:1.26\n",
  "templates/configmap.yaml":
    'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}-config\ndata:\n  image: "{{ .Values.image }}"\n',
  "templates/deployment.yaml": `apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .Release.Name }}
spec:
  replicas: {{ .Values.replicas }}
  selector: { matchLabels: { app: {{ .Release.Name }} } }
  template:
    metadata: { labels: { app: {{ .Release.Name }} } }
    spec:
      containers: [{ name: web, image: "{{ .Values.image }}", ports: [{ containerPort: 80 }] }]
`,
  "templates/service.yaml":
    "apiVersion: v1\nkind: Service\nmetadata:\n  name: {{ .Release.Name }}\nspec:\n  selector: { app: {{ .Release.Name }} }\n  ports: [{ port: 80 }]\n",
  "crds/gadget.yaml": `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: gadgets.helm.example }
spec:
  group: helm.example
  scope: Namespaced
  names: { plural: gadgets, kind: Gadget }
  versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } } }]
`,
  "templates/gadget.yaml":
    "apiVersion: helm.example/v1\nkind: Gadget\nmetadata:\n  name: {{ .Release.Name }}\nspec: { image: '{{ .Values.image }}' }\n",
};

for (const minor of MINORS) {
  const found = tools(minor);
  suite(`helm of kubectl ${minor}`, "missing" in found ? found.missing : false, () => {
    let world: World;
    let client: Client;
    let chart: string;
    const helm = async (args: string): Promise<string> => {
      const outcome = await client.helm(args);
      assert.equal(outcome.code, 0, `helm ${args}: ${outcome.stderr}`);
      return outcome.stdout;
    };
    const image = (): Promise<string> =>
      client.ok("get deploy shop -o jsonpath={.spec.template.spec.containers[0].image}");

    before(async () => {
      world = await startWorld();
      if (!("missing" in found)) client = clientOf(world, found);
      chart = join(world.folder, "shop");
      for (const [name, text] of Object.entries(CHART)) {
        mkdirSync(join(chart, name, ".."), { recursive: true });
        writeFileSync(join(chart, name), text);
      }
    });
    after(() => world[Symbol.asyncDispose]());

    test("a chart is installed, upgraded, rolled back and uninstalled", async () => {
      await helm(`install shop ${chart}`);
      assert.equal(await image(), "nginx:1.26");
      assert.equal(await client.ok("get gadget shop -o jsonpath={.spec.image}"), "nginx:1.26");
      await helm(`upgrade shop ${chart} --set image=nginx:1.27,replicas=3`);
      assert.equal(await image(), "nginx:1.27");
      assert.equal(await client.ok("get cm shop-config -o jsonpath={.data.image}"), "nginx:1.27");
      await helm("rollback shop 1");
      assert.equal(await image(), "nginx:1.26");
      assert.match(await helm("list"), /^shop\s+default\s+3\s/m);
      assert.match(await helm("history shop"), /superseded/);
      await helm("uninstall shop");
      const gone = await client.kubectl("get deploy,svc,cm,gadgets -o name");
      assert.doesNotMatch(gone.stdout, /shop/);
      assert.equal((await client.ok("get secrets -l owner=helm -o name")).trim(), "");
    });
  });
}
