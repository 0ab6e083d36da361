import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { ApiObject } from "@gatewright/kube";
import { apps, core } from "@gatewright/kube/api";
import { APIRoute, Backend } from "@gatewright/resources";
import { createClient, loadTransport } from "@gatewright/runtime";
import type { Client } from "@gatewright/runtime";
import { envoyPart, freePorts, judgeManifests, KubeClient, renderChart } from "../../../testbed/index.ts";
import { releaseOf, rendered } from "../../chart/rendered.ts";
import { VALUE_SETS } from "../../chart/value-sets.ts";
import { namedBackend } from "../../routing/named-backend.ts";
import type { NamedBackend } from "../../routing/named-backend.ts";
import { tools } from "../../tools/layer.ts";
import { suite } from "../../tools/suite.ts";
import { eventually } from "../eventually.ts";
import { realKube } from "../kube.ts";
import { realPart } from "../part.ts";
import { kubeconfigFor } from "../routing/routing-parts.ts";
import { startCommand } from "../routing/started-command.ts";
import type { StartedCommand } from "../routing/started-command.ts";
import { applied, mountedSecret, reachedAt } from "./chart-story.ts";

const kube = realKube();
const found = tools("1.36");
const envoy = "missing" in kube ? kube : await realPart(envoyPart);
const missing = [kube, found, envoy].find((part): part is { readonly missing: string } => "missing" in part)?.missing;

/** Kinds of others that this server does not have; what is in these objects is judged without it. */
const OTHERS = ["Certificate", "PodMonitor", "PrometheusRule", "ServiceMonitor"];
const PLACE = "charted";
const SETS = VALUE_SETS.toSorted(
  (one, other) => Number(other.chart === "gatewright-crds") - Number(one.chart === "gatewright-crds"),
);

suite("our charts on a real API server", missing ?? false, () => {
  if ("missing" in kube || "missing" in found || "missing" in envoy) return;
  const { helm, kubectl } = found;
  const ended = new AsyncDisposableStack();
  const started: StartedCommand[] = [];
  const asked = new KubeClient(kube);
  let admin: Client;
  let folder: string;
  let backend: NamedBackend;
  let [stream, webhook, health, metrics, xds, plain, gatewayAdmin]: number[] = [];

  before(async () => {
    ended.use(envoy);
    ended.defer(() => asked.close());
    const { transport } = await loadTransport({ kubeconfig: kube.kubeconfig });
    ended.defer(() => transport.close());
    admin = createClient(transport, { fieldManager: "platform" });
    folder = await mkdtemp(join(tmpdir(), "real-charts-"));
    ended.defer(() => rm(folder, { recursive: true }));
    backend = await namedBackend("orders");
    ended.defer(() => backend.close());
    [stream, webhook, health, metrics, xds, plain, gatewayAdmin] = await freePorts(7);
  });
  after(async () => {
    await Promise.all(started.map((command) => command.end("SIGKILL")));
    await ended.disposeAsync();
  });

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
    const name = `${PLACE}-restricted`;
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

  test("what is installed is enough: under the account's token the operator serves a gateway and an Application", async () => {
    const operatorChart = await rendered(helm, {
      chart: "gatewright",
      release: PLACE,
      namespace: PLACE,
      set: [
        `fullnameOverride=${PLACE}`,
        "image.repository=registry.example/gatewright",
        `routing.gateways={${PLACE}/edge-1,${PLACE}/envoys}`,
        "routing.xds.enabled=true",
        "routing.ingress.enabled=false",
      ],
    });
    await admin.for(core.Namespace).apply({ metadata: { name: PLACE } });
    const objects = operatorChart.objects.filter(({ kind }) => kind !== "Deployment");
    await applied(
      kubectl,
      kube.kubeconfig,
      objects.map((object) => reachedAt(object, webhook!)),
    );
    // Other suites use the same server, and two routes cannot have the same requests.
    ended.defer(async () => {
      await admin.for(APIRoute).delete({ namespace: PLACE, name: "orders" });
      await admin.for(Backend).delete({ namespace: PLACE, name: "orders" });
    });
    ended.defer(() =>
      asked
        .ask("DELETE", `/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/${PLACE}-routing`)
        .then(() => {}),
    );

    const { serviceAccountName: name = "" } = operatorChart.pod;
    const request = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} };
    const accounts = admin
      .for(core.ServiceAccount)
      .subresource<{ readonly status: { readonly token: string } }>("token");
    const { status } = await accounts.create({ namespace: PLACE, name }, request);
    await kubeconfigFor(kube, status.token, join(folder, "kubeconfig"));
    const here = {
      kubeconfig: join(folder, "kubeconfig"),
      "grpc-port": stream,
      "webhook-port": webhook,
      "xds-port": xds,
      "health-probe-bind-address": `127.0.0.1:${health}`,
      "metrics-bind-address": `127.0.0.1:${metrics}`,
      "cert-dns-names": "127.0.0.1",
    };
    const flags = Object.entries(here).map(([flag, value]) => `--${flag}=${value}`);
    const operator = startCommand([...(operatorChart.container.args ?? []), ...flags], { POD_NAME: `${PLACE}-0` });
    started.push(operator);
    await eventually(
      "the operator is ready",
      () =>
        fetch(`http://127.0.0.1:${health}/readyz`).then(
          (answer) => answer.text(),
          () => operator.said().slice(-2000),
        ),
      (seen) => seen === "ok",
    );

    const settings = await gatewaySettings("edge-1");
    started.push(startCommand(["gateway", "--config", settings]));
    const at = (object: string) => ({ namespace: PLACE, name: object });
    await admin.for(Backend).create({
      metadata: at("orders"),
      spec: { hosts: [{ address: "127.0.0.1", port: backend.port, weight: 1 }] },
    });
    await admin.for(APIRoute).create({
      metadata: at("orders"),
      spec: {
        match: [{ uri: { prefix: "/orders" } }],
        route: [{ destination: { host: "orders", port: 80 }, weight: 100 }],
      },
    });
    await eventually(
      "the route is ready",
      async () => (await admin.for(APIRoute).get(at("orders"))).status,
      (seen) =>
        seen?.gateways === "1/1" &&
        seen.conditions?.some(({ type, status: is }) => type === "Ready" && is === "True") === true,
    );
    const answer = await fetch(`http://127.0.0.1:${plain}/orders/7`);
    assert.equal(`${answer.status} ${await answer.text()}`, "200 /orders/7");

    await applied(kubectl, kube.kubeconfig, [
      {
        apiVersion: "cloudnative.elide.dev/v1",
        kind: "Application",
        metadata: at("web"),
        spec: { image: "nginx" },
      } as ApiObject,
    ]);
    await eventually(
      "the Application has its Deployment",
      () => admin.for(apps.Deployment).find(at("web")),
      (seen) => seen !== undefined,
    );
    const told = await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text();
    assert.match(told, /^avapigw_operator_gateways_connected 1$/m);
    assert.doesNotMatch(told, /rest_client_requests_total\{code="403"/);
  });

  test("a real Envoy starts from the chart's bootstrap, and is served in its own name", async () => {
    await mountedSecret(admin, { namespace: PLACE, name: "envoys-operator-client" }, join(folder, "envoys", "client"));
    const chart = await rendered(helm, {
      chart: "gatewright-gateway",
      release: "envoys",
      namespace: PLACE,
      set: [
        "fullnameOverride=envoys",
        "dataPlane=envoy",
        "envoy.image=x",
        `operator.address=127.0.0.1:${xds}`,
        `operator.serverName=${PLACE}.${PLACE}.svc`,
      ],
    });
    const [own = 0, status = 0] = await freePorts(2);
    const mounted = join(folder, "envoys");
    for (const [file, text] of Object.entries(chart.one("ConfigMap").data ?? {}))
      await writeFile(
        join(mounted, file),
        text
          .replaceAll("/etc/gatewright/client", join(mounted, "client"))
          .replaceAll("/etc/envoy/", `${mounted}/`)
          .replaceAll("port_value: 9901", `port_value: ${own}`)
          .replaceAll("port_value: 9902", `port_value: ${status}`),
      );
    const args = (chart.container.args ?? []).map((arg) =>
      arg.replace("/etc/envoy", mounted).replace("$(POD_NAME)", "envoys-0"),
    );
    const child = spawn(envoy.facts["binary"] ?? "", [...args, "--use-dynamic-base-id"], { stdio: "ignore" });
    try {
      const look = async (path: string): Promise<string> => {
        try {
          return await (await fetch(`http://127.0.0.1:${status}${path}`)).text();
        } catch {
          return "nobody answers"; // it is not there yet
        }
      };
      await eventually(
        "Envoy has its clusters from the operator",
        () => look("/stats/prometheus"),
        (seen) => /^envoy_cluster_manager_cds_update_success\{[^}]*\} [1-9]/m.test(seen),
      );
      assert.equal((await fetch(`http://127.0.0.1:${status}/quitquitquit`, { method: "POST" })).status, 404);
      const told = await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text();
      assert.match(told, /^avapigw_operator_gateways_connected 2$/m);
    } finally {
      child.kill("SIGKILL");
      await once(child, "exit");
    }
  });

  /** What the gateway's chart gives a pod, as files of this machine. Gives the name of the first. */
  async function gatewaySettings(name: string): Promise<string> {
    const chart = await rendered(helm, {
      chart: "gatewright-gateway",
      release: name,
      namespace: PLACE,
      set: [
        `fullnameOverride=${name}`,
        "image.repository=registry.example/gatewright",
        `operator.address=127.0.0.1:${stream}`,
        `operator.serverName=${PLACE}.${PLACE}.svc`,
        `listeners.http.port=${plain}`,
        `settings.admin.port=${gatewayAdmin}`,
      ],
    });
    const mounted = join(folder, name);
    await mkdir(join(mounted, "state"), { recursive: true });
    await mountedSecret(admin, { namespace: PLACE, name: `${name}-operator-client` }, join(mounted, "client"));
    const file = join(mounted, "gateway.yaml");
    const text = chart.one("ConfigMap").data?.["gateway.yaml"] ?? "";
    await writeFile(
      file,
      text
        .replaceAll("/etc/gatewright/client", join(mounted, "client"))
        .replaceAll("/var/lib/gatewright", join(mounted, "state")),
    );
    return file;
  }
});
