import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { DEFAULT_INSTALL_SETTINGS, installation, PARTS, rolesByPart, rolesIn } from "@gatewright/operator";
import type { InstallSettings, RolePart } from "@gatewright/operator";
import type { rbac } from "@gatewright/kube/api";
import { readOperatorOptions } from "../../packages/cli/src/operator/operator-options.ts";
import { ruleGroups } from "../../scripts/observability/parts.ts";
import { MINORS, tools } from "../tools/layer.ts";
import { suite } from "../tools/suite.ts";
import { linted, rendered, valueSet } from "./rendered.ts";
import type { Rendered } from "./rendered.ts";
import { VALUE_SETS } from "./value-sets.ts";

const OURS = VALUE_SETS.filter(({ chart }) => chart === "gatewright");
const DEFAULTS = valueSet("the defaults");
const ONE_REPLICA = "one replica of routing without webhooks, Ingresses and network policy";
const EVERYTHING = valueSet("everything on");

/** What the operator is started with. Files of ConfigMaps are read as they would be mounted. */
function optionsOf(chart: Rendered) {
  const [command, ...args] = chart.container.args ?? [];
  assert.equal(command, "operator");
  const folder = mkdtempSync(join(tmpdir(), "gatewright-chart-"));
  try {
    for (const { data } of chart.all("ConfigMap"))
      for (const [name, text] of Object.entries(data ?? {})) writeFileSync(join(folder, name), text);
    const options = readOperatorOptions(
      args.map((arg) => arg.replace("/etc/gatewright/infra", folder)),
      {},
    );
    assert.ok(options !== "help");
    return options;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The rules of a list of roles, by what they are bound in. */
function rulesOf(roles: readonly (rbac.Role | rbac.ClusterRole)[]): readonly string[] {
  return roles.map(({ metadata, rules }) => `${metadata.namespace ?? "everywhere"} ${JSON.stringify(rules)}`).sort();
}

for (const minor of MINORS) {
  const found = tools(minor);
  suite(`the operator's chart, with helm of ${minor}`, "missing" in found ? found.missing : false, () => {
    if ("missing" in found) return;
    const { helm } = found;

    test("is without fault for all sets of values", async () => {
      for (const set of OURS) await linted(helm, set);
    });

    test("starts the operator with options that it takes", async () => {
      for (const set of OURS) {
        const chart = await rendered(helm, set);
        const { namespace, parts, lease, routing } = optionsOf(chart);
        assert.equal(namespace, set.namespace);
        assert.equal(lease, set.release === "names" ? "names-gatewright" : "gatewright");
        if (!parts.includes("routing")) continue;
        const ports = chart.container.ports?.map(({ containerPort }) => containerPort) ?? [];
        assert.ok(ports.includes(Number(routing.settings.streamAddress?.split(":")[1])));
        if (routing.settings.webhooks !== undefined) assert.ok(ports.includes(routing.settings.webhooks.port));
      }
    });

    test("serves the console to nobody, to a port-forward, or over TLS to others", async () => {
      assert.equal(optionsOf(await rendered(helm, DEFAULTS)).console, undefined);
      const alone = await rendered(helm, valueSet(ONE_REPLICA));
      assert.deepEqual(optionsOf(alone).console?.address, { host: "127.0.0.1", port: 9445 });
      const ports = (chart: Rendered): readonly string[] => [
        ...(chart.container.ports ?? []).map(({ name }) => `pod ${name}`),
        ...(chart.one("Service").spec?.ports ?? []).map(({ name }) => `service ${name}`),
      ];
      assert.ok(!ports(alone).some((each) => each.endsWith("console")));
      const open = await rendered(helm, EVERYTHING);
      const { address, hosts, files } = optionsOf(open).console ?? {};
      assert.deepEqual([address?.host, hosts], [undefined, ["console.example.com", "gatewright.gatewright.svc"]]);
      assert.deepEqual(
        ports(open).filter((each) => each.endsWith("console")),
        ["pod console", "service console"],
      );
      const mount = open.container.volumeMounts?.find(({ mountPath }) => files?.keyFile.startsWith(`${mountPath}/`));
      const volume = open.pod.volumes?.find(({ name }) => name === mount?.name);
      assert.equal(volume?.secret?.secretName, "console-tls");
    });

    test("gives the service account what the enabled parts need, and nothing else", async () => {
      const names = (set: string): Promise<Rendered> => rendered(helm, valueSet(set));
      const cases: readonly (readonly [Rendered, Partial<InstallSettings>, readonly RolePart[]])[] = [
        [await names("the defaults"), {}, ["base", "applications", "routing"]],
        [await names("everything on"), { gatewayNamespaces: ["edge"] }, ["base", ...PARTS, "expose"]],
        [
          await names("hostnames alone, elsewhere and under another name"),
          { namespace: "ops", edgeNamespace: "front", lease: "names-gatewright", listeners: "listener-sets" },
          ["base", "hostnames"],
        ],
        [await names(ONE_REPLICA), { webhookConfiguration: undefined }, ["base", "routing"]],
      ];
      for (const [chart, settings, parts] of cases) {
        const roles = rolesByPart({ ...DEFAULT_INSTALL_SETTINGS, ...settings });
        const ours = [...chart.all("ClusterRole"), ...chart.all("Role")];
        const wanted = parts.flatMap((part) => rolesIn(roles[part]));
        assert.deepEqual(rulesOf(ours), rulesOf(wanted));
        const bindings = [...chart.all("ClusterRoleBinding"), ...chart.all("RoleBinding")];
        assert.equal(bindings.length, ours.length);
        const account = chart.pod.serviceAccountName;
        for (const { subjects } of bindings) assert.equal(subjects?.[0]?.name, account);
      }
    });

    test("has webhooks, policies and classes as the generators make them", async () => {
      const chart = await rendered(helm, EVERYTHING);
      const { webhook, policy: policies, classes } = installation(DEFAULT_INSTALL_SETTINGS);
      for (const object of [...webhook, ...policies, ...classes])
        assert.deepEqual(JSON.parse(JSON.stringify(chart.one(object.kind ?? "", object.metadata.name))), object);
      const elsewhere = await rendered(helm, valueSet("hostnames alone, elsewhere and under another name"));
      const settings = { ...DEFAULT_INSTALL_SETTINGS, namespace: "ops", account: "names-gatewright" };
      for (const object of installation({ ...settings, edgeNamespace: "front", policyScope: "all" }).policy)
        assert.deepEqual(elsewhere.one(object.kind ?? "", object.metadata.name), object);
    });

    test("runs two replicas that are spread, budgeted, and may do nothing on their node", async () => {
      const chart = await rendered(helm, DEFAULTS);
      const { pod, container } = chart;
      assert.equal(chart.one("Deployment").spec?.replicas, 2);
      assert.equal(chart.one("PodDisruptionBudget").spec?.maxUnavailable, 1);
      assert.equal(pod.topologySpreadConstraints?.length, 2);
      assert.deepEqual(pod.securityContext, {
        runAsNonRoot: true,
        runAsUser: 65532,
        runAsGroup: 65532,
        fsGroup: 65532,
        seccompProfile: { type: "RuntimeDefault" },
      });
      assert.deepEqual(container.securityContext, {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      });
      assert.ok(container.livenessProbe && container.readinessProbe && container.resources?.limits?.["memory"]);
      const one = await rendered(helm, valueSet(ONE_REPLICA));
      assert.deepEqual(
        [one.all("PodDisruptionBudget"), one.all("NetworkPolicy"), one.all("IngressClass")],
        [[], [], []],
      );
      assert.match(one.container.image ?? "", /^registry\.example\/gatewright@sha256:a+$/);
    });

    test("leaves a pod that goes the time until API servers no longer ask it", async () => {
      assert.equal((await rendered(helm, DEFAULTS)).container.lifecycle?.preStop?.sleep?.seconds, 5);
      assert.equal((await rendered(helm, valueSet(ONE_REPLICA))).container.lifecycle, undefined, "nobody asks");
    });

    test("carries the role of AWS, the alerts and the dashboards that belong to what runs", async () => {
      const chart = await rendered(helm, EVERYTHING);
      const { annotations } = chart.one("ServiceAccount").metadata;
      assert.equal(annotations?.["eks.amazonaws.com/role-arn"], "arn:aws:iam::123456789012:role/gatewright");
      const dashboards = chart.all("ConfigMap").filter(({ metadata }) => /-dashboard-/.test(metadata.name!));
      assert.deepEqual(
        dashboards.map(({ metadata }) => (metadata.name ?? "").replace("gatewright-dashboard-", "")).sort(),
        ["hostnames", "infra", "routing", "runtime"],
      );
      for (const { data } of dashboards) assert.ok(JSON.parse(Object.values(data ?? {})[0] ?? "").panels.length > 1);
      const monitored = await rendered(helm, valueSet("for the Prometheus Operator and cert-manager"));
      for (const part of ["runtime", "routing"]) {
        const { spec } = monitored.one("PrometheusRule", `gatewright-${part}`);
        assert.deepEqual(spec, ruleGroups.find((each) => each.part === part)?.rules);
      }
      assert.equal(monitored.all("PrometheusRule").length, 2);
    });

    test("refuses values that make no sense, and says what to do", async () => {
      const refused = (set: readonly string[], message: RegExp): Promise<void> =>
        assert.rejects(rendered(helm, { ...DEFAULTS, set }), message, set.join(" "));
      const image = "image.repository=x";
      await refused([], /image\.repository is needed: push the image/);
      await refused([image, "replica=3"], /replica/);
      await refused([image, "replicas=0"], /minimum|greater than or equal/);
      await refused([image, "routing.gateways[0]=edge"], /routing.gateways.0|gateways\/0/);
      await refused([image, "hostnames.enabled=true"], /cluster is needed by hostnames and infra/);
      await refused([image, "hostnames.enabled=true", "cluster=a"], /aws\.region is needed by hostnames/);
      await refused([image, "routing.enabled=false", "applications.enabled=false"], /nothing would run/);
      await refused([image, "routing.certificates.provider=vault"], /vault\.address is needed/);
    });
  });
}
