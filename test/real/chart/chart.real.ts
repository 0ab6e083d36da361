import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { KubeClient, judgeManifests, lintChart, renderChart } from "../../../testbed/index.ts";
import type { Refusal } from "../../../testbed/index.ts";
import { startEmbeddedWorld } from "../../differential/worlds.ts";
import type { World } from "../../differential/world.ts";
import { MINORS, tools } from "../../tools/layer.ts";
import { suite } from "../../tools/suite.ts";
import { realKube } from "../kube.ts";

const GADGETS = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: gadgets.chart.example }
spec:
  group: chart.example
  scope: Namespaced
  names: { plural: gadgets, kind: Gadget }
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties: { spec: { type: object, properties: { size: { type: integer, maximum: 10 } } } }
`;

/** A chart with one template of each sort; `field` and `size` are where mistakes are made. */
const chart = (field: string, size: number): Readonly<Record<string, string>> => ({
  "Chart.yaml": "apiVersion: v2\nname: shop\nversion: 0.1.0\nicon: https://example.com/icon.svg\n",
  "values.yaml": "replicas: 1\n",
  "crds/gadgets.yaml": GADGETS,
  "templates/gadget.yaml": `apiVersion: chart.example/v1
kind: Gadget
metadata: { name: "{{ .Release.Name }}" }
spec: { size: ${size} }
`,
  "templates/role.yaml": `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: "{{ .Release.Name }}-reader" }
rules: [{ apiGroups: [""], resources: [pods], verbs: [get] }]
`,
  "templates/off.yaml": `{{- if .Values.off }}
kind: Nothing
{{- end }}
`,
  "templates/deployment.yaml": `apiVersion: apps/v1
kind: Deployment
metadata: { name: "{{ .Release.Name }}" }
spec:
  ${field}: {{ .Values.replicas }}
  selector: { matchLabels: { app: shop } }
  template:
    metadata: { labels: { app: shop } }
    spec: { containers: [{ name: web, image: nginx }] }
`,
});

const kube = realKube();
const found = MINORS.map((minor) => ({ minor, tool: tools(minor) }));
const noTool = found.map(({ tool }) => ("missing" in tool ? tool.missing : undefined)).find((why) => why !== undefined);

suite("checks of charts", ("missing" in kube ? kube.missing : noTool) ?? false, () => {
  if ("missing" in kube) return;
  const folder = mkdtempSync(join(tmpdir(), "gatewright-chart-"));
  const write = (name: string, files: Readonly<Record<string, string>>): string => {
    for (const [path, text] of Object.entries(files)) {
      const file = join(folder, name, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    return join(folder, name);
  };
  let embedded: World;
  before(async () => void (embedded = await startEmbeddedWorld()));
  after(async () => {
    await embedded[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  /** What each of the two servers says. */
  const judged = async (helm: string, path: string, namespace: string): Promise<Refusal[][]> => {
    const release = { chart: path, release: "shop", namespace };
    const manifests = await renderChart(helm, release);
    assert.equal(manifests.length, 4);
    const servers = [kube, { url: embedded.url, ca: embedded.ca, token: embedded.tokens.admin }];
    return Promise.all(
      servers.map(async (access) => {
        const client = new KubeClient(access);
        try {
          return await judgeManifests(client, manifests, namespace);
        } finally {
          client.close();
        }
      }),
    );
  };

  for (const { minor, tool } of found) {
    if ("missing" in tool) continue;
    const namespace = `chart-${minor.replace(".", "-")}`;

    test(`a good chart passes all of them, with helm of ${minor}`, async () => {
      const path = write("good", chart("replicas", 1));
      await lintChart(tool.helm, { chart: path, release: "shop", namespace });
      assert.deepEqual(await judged(tool.helm, path, namespace), [[], []]);
    });

    test(`a typo and a value that is too large are found by both servers, with helm of ${minor}`, async () => {
      const [real = [], ours = []] = await judged(tool.helm, write("bad", chart("replica", 11)), namespace);
      assert.deepEqual(real.map(({ kind }) => kind).sort(), ["Deployment", "Gadget"]);
      assert.match(real.find(({ kind }) => kind === "Deployment")?.why ?? "", /\.spec\.replica: field not declared/);
      assert.match(real.find(({ kind }) => kind === "Gadget")?.why ?? "", /should be less than or equal to 10/);
      assert.deepEqual(ours, real);
    });

    test(`a chart that cannot be rendered is refused in helm's words, with helm of ${minor}`, async () => {
      const path = write("broken", { ...chart("replicas", 1), "templates/role.yaml": "{{ .Values.missing.deep }}" });
      const release = { chart: path, release: "shop", namespace };
      await assert.rejects(renderChart(tool.helm, release), /role\.yaml/);
      await assert.rejects(lintChart(tool.helm, release), /ended with 1/);
    });
  }
});
