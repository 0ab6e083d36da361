import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { KubeClient } from "../../../testbed/index.ts";
import { suite } from "../../tools/suite.ts";
import { eventually } from "../eventually.ts";
import { realKube } from "../kube.ts";

const kube = realKube();

suite("the control plane of the test bed", "missing" in kube ? kube.missing : false, () => {
  if ("missing" in kube) return;
  const NAMESPACE = "testbed-kube";
  const namespaced = `/api/v1/namespaces/${NAMESPACE}`;
  const admin = new KubeClient(kube);

  const made = async (path: string, body: object): Promise<Readonly<Record<string, unknown>>> => {
    const answer = await admin.ask("POST", path, body);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body as Readonly<Record<string, unknown>>;
  };

  before(async () => {
    await made("/api/v1/namespaces", { metadata: { name: NAMESPACE } });
  });

  after(async () => {
    await admin.ask("DELETE", `/api/v1/namespaces/${NAMESPACE}`);
    admin.close();
  });

  test("it is ready and is the version that was asked for", async () => {
    assert.deepEqual(await admin.ask("GET", "/readyz"), { status: 200, body: "ok" });
    const { body } = await admin.ask("GET", "/version");
    assert.equal((body as { readonly gitVersion: string }).gitVersion, `v${kube.version}`);
  });

  test("a token without rights is known and refused, one that is made up is not known", async () => {
    await made(`${namespaced}/serviceaccounts`, { metadata: { name: "powerless" } });
    const request = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} };
    const issued = await made(`${namespaced}/serviceaccounts/powerless/token`, request);
    const { token } = issued["status"] as { readonly token: string };
    const asked = async (shown: string): Promise<number> => {
      const client = new KubeClient({ ...kube, token: shown });
      try {
        return (await client.ask("GET", `${namespaced}/secrets`)).status;
      } finally {
        client.close();
      }
    };
    assert.equal(await asked(token), 403);
    assert.equal(await asked("made-up"), 401);
  });

  test("requests are written to the audit log with who sent them", async () => {
    await made(`${namespaced}/configmaps`, { metadata: { name: "audited" } });
    const log = join(kube.folder, "logs", "audit.log");
    const isOurs = (line: string): boolean =>
      line.includes('"verb":"create"') && line.includes(`${namespaced}/configmaps`);
    const line = await eventually(
      "the entry",
      async () => readFileSync(log, "utf8").split("\n").find(isOurs),
      (found) => found !== undefined,
    );
    assert.equal((JSON.parse(line ?? "") as { readonly user: { readonly username: string } }).user.username, "admin");
  });

  test("a Deployment becomes ready on the stand-in node, and its Service has endpoints", async () => {
    const labels = { app: "web" };
    const containers = [{ name: "web", image: "nginx", ports: [{ containerPort: 80 }] }];
    await made(`${namespaced}/services`, {
      metadata: { name: "web" },
      spec: { selector: labels, ports: [{ port: 80 }] },
    });
    await made(`/apis/apps/v1/namespaces/${NAMESPACE}/deployments`, {
      metadata: { name: "web" },
      spec: {
        replicas: 2,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers } },
      },
    });
    const path = `/apis/apps/v1/namespaces/${NAMESPACE}/deployments/web`;
    await eventually(
      "two ready replicas",
      async () => ((await admin.ask("GET", path)).body as { status: { readyReplicas?: number } }).status,
      (status) => status.readyReplicas === 2,
    );
    const slices = `/apis/discovery.k8s.io/v1/namespaces/${NAMESPACE}/endpointslices`;
    type Slices = { readonly items: readonly { readonly endpoints: readonly unknown[] | null }[] };
    await eventually(
      "two endpoints",
      async () => ((await admin.ask("GET", slices)).body as Slices).items.flatMap(({ endpoints }) => endpoints ?? []),
      (endpoints) => endpoints.length === 2,
    );
  });

  test("a Job completes", async () => {
    const spec = { restartPolicy: "Never", containers: [{ name: "work", image: "busybox" }] };
    const jobs = `/apis/batch/v1/namespaces/${NAMESPACE}/jobs`;
    await made(jobs, { metadata: { name: "work" }, spec: { template: { spec } } });
    await eventually(
      "the end of the Job",
      async () => ((await admin.ask("GET", `${jobs}/work`)).body as { status: { succeeded?: number } }).status,
      (status) => status.succeeded === 1,
    );
  });

  test("the Gateway API is served", async (context) => {
    const group = "gateway.networking.k8s.io";
    const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/gateways.${group}`;
    if ((await admin.ask("GET", path)).status === 404) return context.skip("its CRDs do not lie in ../shared/data");
    const listed = await eventually(
      "a list of Gateways",
      () => admin.ask("GET", `/apis/${group}/v1/gateways`),
      ({ status }) => status === 200,
    );
    assert.equal((listed.body as { readonly kind: string }).kind, "GatewayList");
    const refused = await admin.ask("POST", `/apis/${group}/v1/gatewayclasses`, {
      apiVersion: `${group}/v1`,
      kind: "GatewayClass",
      metadata: { name: "no-domain" },
      spec: { controllerName: "not a path" },
    });
    assert.equal(refused.status, 422);
  });
});
