import assert from "node:assert/strict";
import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { DEFAULT_SETTINGS } from "@gatewright/hostnames";
import { DEFAULT_PROVIDER_SETTINGS } from "@gatewright/infra";
import { UsageError } from "../usage-error.ts";
import { OPERATOR_HELP } from "./operator-flags.ts";
import { readOperatorOptions } from "./operator-options.ts";
import type { OperatorOptions } from "./operator-options.ts";

/** What has no default: it is another for each cluster. */
const PLACE = { CLUSTER_NAME: "prod-1", AWS_REGION: "eu-west-1" };

function read(args: readonly string[], env: NodeJS.ProcessEnv = {}): OperatorOptions {
  const options = readOperatorOptions(args, { ...PLACE, ...env });
  assert.ok(options !== "help");
  return options;
}

function refused(args: readonly string[], message: string | RegExp, env: NodeJS.ProcessEnv = {}): void {
  assert.throws(
    () => readOperatorOptions(args, { ...PLACE, ...env }),
    (error) =>
      error instanceof UsageError &&
      (typeof message === "string" ? error.message === message : message.test(error.message)),
    `${args.join(" ")}: ${String(message)}`,
  );
}

test("without a word it runs all parts, closed: mTLS, names bound, admission asked", () => {
  const { parts, health, metrics, leads, lease, log, kube, routing, hostnames, infra } = read([]);
  assert.deepEqual(parts, ["hostnames", "infra", "routing", "applications"]);
  assert.deepEqual([health, metrics], [{ port: 8081 }, { port: 8080 }]);
  assert.deepEqual([leads, lease], [true, "gatewright"]);
  assert.deepEqual(log, { level: "info", format: "json" });
  assert.equal(routing.certificates.mode, "selfsigned");
  assert.deepEqual([routing.gateways, kube], [[], {}]);
  const { webhooks, streamAddress, bindsIdentity, ingress, xds, pushed, feed } = routing.settings;
  assert.deepEqual([webhooks, streamAddress, bindsIdentity], [{ port: 9443 }, "0.0.0.0:9444", true]);
  assert.deepEqual(ingress, { className: "avapigw", isDefault: false, addresses: [] });
  assert.deepEqual([xds, pushed], [undefined, []]);
  assert.deepEqual([feed?.crossNamespace, feed?.missingBackends], ["grant", "warn"]);
  // What the rooms themselves take for granted, said once more by the flags.
  const { cluster: _, limits: __, ...decided } = DEFAULT_SETTINGS;
  assert.deepEqual(hostnames, {
    gatewayAwsVersion: "v1",
    dnsServers: [],
    settings: { ...decided, limits: {} },
  });
  assert.deepEqual(infra, DEFAULT_PROVIDER_SETTINGS);
});

test("what has no default is asked for, by the part that needs it", () => {
  const none = { CLUSTER_NAME: "", AWS_REGION: "" };
  refused([], /^hostnames needs --cluster-name: /u, none);
  refused(["--parts", "infra"], /^infra needs --cluster-name: /u, none);
  refused(["--cluster-name", "a"], /^hostnames needs --aws-region \(AWS_REGION\)/u, none);
  const { cluster, aws } = read(["--parts", "infra", "--cluster-name", "a"], none);
  assert.deepEqual([cluster, aws.region], ["a", undefined]);
  assert.deepEqual(read(["--parts", "routing,applications"], none).parts, ["routing", "applications"]);
  assert.equal(read([], { ...none, CLUSTER_NAME: "a", AWS_DEFAULT_REGION: "eu-west-1" }).aws.region, "eu-west-1");
});

test("hostnames are decided by flags, in units that people use", () => {
  const said = {
    "edge-namespace": "front",
    "allowed-domains": "opendi.com, in-muenchen.de",
    "gateway-aws-version": "v1beta1",
    "gateway-limits": "certificates=100,target-groups=50",
    "bundle-window": "500ms",
    "drain-window": "1m30s",
    "remove-empty-gateways-after": "24h",
    "drift-mode": "report",
    "deletion-brake": "5/1h",
    "dns-servers": "192.0.2.53:5353",
    "other-regions": "us-east-1",
    "aws-endpoint-url": "http://127.0.0.1:5000",
  };
  const { hostnames, aws } = read(Object.entries(said).map(([name, value]) => `--${name}=${value}`));
  const { settings } = hostnames;
  assert.deepEqual([hostnames.gatewayAwsVersion, hostnames.dnsServers], ["v1beta1", ["192.0.2.53:5353"]]);
  assert.equal(settings.edgeNamespace, "front");
  assert.deepEqual(settings.allowedDomains, ["opendi.com", "in-muenchen.de"]);
  assert.deepEqual(settings.limits, { certificates: 100, targetGroups: 50 });
  assert.deepEqual([settings.bundleMs, settings.drainMs, settings.removeEmptyAfterMs], [500, 90_000, 86_400_000]);
  assert.deepEqual([settings.drift, settings.brake], ["report", { deletions: 5, windowMs: 3_600_000 }]);
  assert.deepEqual(aws, { region: "eu-west-1", endpoint: "http://127.0.0.1:5000", otherRegions: ["us-east-1"] });
  assert.equal(read(["--dns-servers", "none"]).hostnames.dnsServers, "none");
  refused(["--gateway-limits", "stars=5"], /--gateway-limits is one of certificates, rules, target-groups, headroom/u);
  refused(["--gateway-limits", "rules=many"], '--gateway-limits needs a number, not "many"');
  refused(["--deletion-brake", "5"], '--deletion-brake takes a number and a time such as 50/10m, not "5"');
  refused(["--bundle-window", "2"], '--bundle-window needs a duration such as 30s or 1h30m, not "2"');
  refused(["--aws-endpoint-url", "moto"], '--aws-endpoint-url needs an http or https URL, not "moto"');
});

test("who may use which role is read from a file, and a file that cannot be read is not taken for none", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "operator-options-"));
  const file = join(folder.path, "roles.yaml");
  const rules = async (text: string) => {
    await writeFile(file, text);
    return () => read(["--allowed-roles-file", file]).infra.allowedRoles;
  };
  const good =
    "- namespaces: [team-*]\n  roles: ['arn:aws:iam::*:role/team-*']\n- { namespaces: [ops], ownIdentity: true }\n";
  assert.deepEqual((await rules(good))(), [
    { namespaces: ["team-*"], roles: ["arn:aws:iam::*:role/team-*"], ownIdentity: false },
    { namespaces: ["ops"], roles: [], ownIdentity: true },
  ]);
  for (const [text, message] of [
    ["", /needs a list of rules/u],
    ["- { namespaces: [a], role: [b] }", /rule 1: has "role"; known are namespaces, roles, ownIdentity/u],
    ["- { roles: [b] }", /rule 1: namespaces needs a list/u],
    ["- { namespaces: [a], ownIdentity: 'yes' }", /rule 1: ownIdentity is true or false/u],
    ["[", /--allowed-roles-file: .*roles\.yaml: /u],
  ] as const)
    assert.throws(await rules(text), message);
  refused(["--allowed-roles-file", join(folder.path, "none")], /--allowed-roles-file: .*no such file/u);
  // It is of no concern to a process that looks after no AWS resources.
  read(["--parts", "routing", "--allowed-roles-file", join(folder.path, "none")]);
});

test("the environment says what the command line does not; the command line wins", () => {
  const env = {
    POD_NAMESPACE: "ops",
    GRPC_PORT: "1",
    INGRESS_LB_ADDRESS: "192.0.2.1, edge.example.com",
    LOG_LEVEL: "debug",
    LOG_FORMAT: "",
  };
  const {
    namespace,
    routing: { settings: routing },
    log,
  } = read(["--grpc-port", "2"], env);
  assert.deepEqual([namespace, log.level, routing.streamAddress], ["ops", "debug", "0.0.0.0:2"]);
  assert.deepEqual(routing.ingress?.addresses, ["192.0.2.1", "edge.example.com"]);
});

test("parts of it are turned off", () => {
  const off = [
    ["--enable-webhooks", "false"],
    ["--enable-ingress-controller", "no"],
    ["--leader-elect", "0"],
    ["--metrics-bind-address", "0"],
    ["--grpc-bind-identity", "False"],
  ].flat();
  const {
    routing: { settings: routing },
    leads,
    metrics,
  } = read(off);
  assert.deepEqual([routing.webhooks, routing.ingress, leads, metrics], [undefined, undefined, false, undefined]);
  assert.equal(routing.bindsIdentity, false);
});

test("addresses, lists and names of gateways are read", () => {
  const { health, parts, routing, kube } = read([
    "--health-probe-bind-address=127.0.0.1:9",
    "--gateways=edge/edge-1, edge/edge-2",
    "--parts=routing,applications",
    "--xds-port=18000",
    "--push-to=gw-1:9000,gw-2:9000",
    "--kubeconfig=file",
    "--context=prod",
  ]);
  assert.deepEqual(health, { host: "127.0.0.1", port: 9 });
  assert.deepEqual(routing.gateways, [
    { namespace: "edge", name: "edge-1" },
    { namespace: "edge", name: "edge-2" },
  ]);
  assert.deepEqual(parts, ["routing", "applications"]);
  assert.equal(routing.settings.xds?.address, "0.0.0.0:18000");
  assert.deepEqual(routing.settings.pushed, [{ address: "gw-1:9000" }, { address: "gw-2:9000" }]);
  assert.deepEqual(kube, { kubeconfig: "file", context: "prod" });
});

test("the certificate has the names that the Service is dialled by, and those that are asked for", () => {
  const { routing } = read(["--namespace", "ops", "--cert-service-name", "op", "--cert-dns-names", "op.example.com"]);
  assert.deepEqual(routing.certificates, {
    mode: "selfsigned",
    secret: "gatewright-certificates",
    hosts: ["op", "op.ops", "op.ops.svc", "op.ops.svc.cluster.local", "op.example.com"],
  });
});

test("each provider of certificates says what it lacks", () => {
  refused(["--cert-provider", "vault"], "--cert-provider vault needs --vault-k8s-role");
  refused(["--cert-provider", "vault", "--vault-k8s-role", "r"], "--cert-provider vault needs --vault-addr");
  refused(["--cert-provider", "file", "--cert-file", "c"], "--cert-provider file needs --key-file");
  const files = ["--cert-file", "c", "--key-file", "k", "--ca-file", "a"];
  const expected = { mode: "cert-manager", certificateFile: "c", keyFile: "k", authorityFile: "a" };
  assert.deepEqual(read(["--cert-provider", "cert-manager", ...files]).routing.certificates, expected);
  const { certificates } = read(["--cert-provider", "vault"], {
    VAULT_ADDR: "https://vault:8200",
    VAULT_K8S_ROLE: "r",
  }).routing;
  assert.ok(certificates.mode === "vault");
  assert.deepEqual(
    [certificates.address, certificates.mount, certificates.role],
    ["https://vault:8200", "pki", "operator"],
  );
  assert.deepEqual(certificates.login, { role: "r", mount: "kubernetes" });
});

test("what is wrong is told with the flag and what it takes, wherever it was said", () => {
  refused(["--parts", "routing,dns"], '--parts is one of hostnames, infra, routing, applications, not "dns"');
  refused(["--parts", ","], "--parts is some of hostnames, infra, routing, applications");
  refused(["--leader-elect", "perhaps"], '--leader-elect is true or false, not "perhaps"');
  refused(["--grpc-port", "65536"], '--grpc-port needs a port, not "65536"');
  refused(["--webhook-port", "-1"], /webhook-port/u);
  refused(["--metrics-bind-address", "here"], '--metrics-bind-address needs a port, not "here"');
  refused(["--gateways", "edge"], '--gateways takes namespace/name, not "edge"');
  refused(["--gateways", "a/b/c"], '--gateways takes namespace/name, not "a/b/c"');
  refused(["--cert-provider", "magic"], '--cert-provider is one of selfsigned, vault, file, cert-manager, not "magic"');
  refused([], '--log-level is one of debug, info, warn, error, not "loud"', { LOG_LEVEL: "loud" });
  refused(["--no-such-flag"], /^Unknown option '--no-such-flag'[^]*Usage: gatewright operator/u);
});

test("the console is nowhere unless it is asked for, and beyond this machine only over TLS", () => {
  assert.equal(read([]).console, undefined);
  const address = { host: "127.0.0.1", port: 9445 };
  assert.deepEqual(read(["--console-bind-address", "127.0.0.1:9445"]).console, {
    address,
    hosts: [],
    files: undefined,
  });
  assert.deepEqual(read(["--console-bind-address", "[::1]:9445"]).console?.address, { host: "::1", port: 9445 });
  const bound = ["--console-bind-address", ":9445"];
  refused(bound, /without --console-cert-file is an address of this machine/u);
  refused(["--console-bind-address", "10.0.0.1:9445"], /is an address of this machine/u);
  const files = ["--console-cert-file", "c", "--console-key-file", "k"];
  refused([...bound, ...files.slice(0, 2)], "--console-cert-file and --console-key-file go together");
  const { console } = read([...bound, ...files, "--console-hosts", "console.example.com"]);
  assert.deepEqual(console, {
    address: { port: 9445 },
    hosts: ["console.example.com"],
    files: { certificateFile: "c", keyFile: "k" },
  });
});

test("help names every flag with its variable and default", () => {
  assert.equal(readOperatorOptions(["-h"], {}), "help");
  assert.match(OPERATOR_HELP, /--grpc-port \(GRPC_PORT\)\n {8}where gateways dial in, over mTLS; default: 9444/u);
  assert.match(OPERATOR_HELP, /--gateways \(GATEWRIGHT_GATEWAYS\)\n[^\n]*with commas\n/u);
});
