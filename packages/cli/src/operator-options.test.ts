import assert from "node:assert/strict";
import { test } from "node:test";
import { OPERATOR_HELP, readOperatorOptions } from "./operator-options.ts";
import type { OperatorOptions } from "./operator-options.ts";
import { UsageError } from "./usage-error.ts";

function read(args: readonly string[], env: NodeJS.ProcessEnv = {}): OperatorOptions {
  const options = readOperatorOptions(args, env);
  assert.ok(options !== "help");
  return options;
}

function refused(args: readonly string[], message: string | RegExp, env: NodeJS.ProcessEnv = {}): void {
  assert.throws(
    () => readOperatorOptions(args, env),
    (error) =>
      error instanceof UsageError &&
      (typeof message === "string" ? error.message === message : message.test(error.message)),
    `${args.join(" ")}: ${String(message)}`,
  );
}

test("without a word it runs routing, closed: mTLS, names bound, admission asked", () => {
  const { parts, health, metrics, leads, lease, log, certificates, gateways, cluster, routing } = read([]);
  assert.deepEqual(parts, ["routing"]);
  assert.deepEqual([health, metrics], [{ port: 8081 }, { port: 8080 }]);
  assert.deepEqual([leads, lease], [true, "gatewright"]);
  assert.deepEqual(log, { level: "info", format: "json" });
  assert.equal(certificates.mode, "selfsigned");
  assert.deepEqual([gateways, cluster], [[], {}]);
  const { webhooks, streamAddress, bindsIdentity, ingress, xds, pushed, feed } = routing;
  assert.deepEqual([webhooks, streamAddress, bindsIdentity], [{ port: 9443 }, "0.0.0.0:9444", true]);
  assert.deepEqual(ingress, { className: "avapigw", isDefault: false, addresses: [] });
  assert.deepEqual([xds, pushed], [undefined, []]);
  assert.deepEqual([feed?.crossNamespace, feed?.missingBackends], ["grant", "warn"]);
});

test("the environment says what the command line does not; the command line wins", () => {
  const env = {
    POD_NAMESPACE: "ops",
    GRPC_PORT: "1",
    INGRESS_LB_ADDRESS: "192.0.2.1, edge.example.com",
    LOG_LEVEL: "debug",
  };
  const { namespace, routing, log } = read(["--grpc-port", "2"], env);
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
  const { routing, leads, metrics } = read(off);
  assert.deepEqual([routing.webhooks, routing.ingress, leads, metrics], [undefined, undefined, false, undefined]);
  assert.equal(routing.bindsIdentity, false);
});

test("addresses, lists and names of gateways are read", () => {
  const { health, gateways, parts, routing, cluster } = read([
    "--health-probe-bind-address=127.0.0.1:9",
    "--gateways=edge/edge-1, edge/edge-2",
    "--parts=routing,applications",
    "--xds-port=18000",
    "--push-to=gw-1:9000,gw-2:9000",
    "--kubeconfig=file",
    "--context=prod",
  ]);
  assert.deepEqual(health, { host: "127.0.0.1", port: 9 });
  assert.deepEqual(gateways, [
    { namespace: "edge", name: "edge-1" },
    { namespace: "edge", name: "edge-2" },
  ]);
  assert.deepEqual(parts, ["routing", "applications"]);
  assert.equal(routing.xds?.address, "0.0.0.0:18000");
  assert.deepEqual(routing.pushed, [{ address: "gw-1:9000" }, { address: "gw-2:9000" }]);
  assert.deepEqual(cluster, { kubeconfig: "file", context: "prod" });
});

test("the certificate has the names that the Service is dialled by, and those that are asked for", () => {
  const { certificates } = read([
    "--namespace",
    "ops",
    "--cert-service-name",
    "op",
    "--cert-dns-names",
    "op.example.com",
  ]);
  assert.deepEqual(certificates, {
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
  assert.deepEqual(read(["--cert-provider", "cert-manager", ...files]).certificates, expected);
  const { certificates } = read(["--cert-provider", "vault"], {
    VAULT_ADDR: "https://vault:8200",
    VAULT_K8S_ROLE: "r",
  });
  assert.ok(certificates.mode === "vault");
  assert.deepEqual(
    [certificates.address, certificates.mount, certificates.role],
    ["https://vault:8200", "pki", "operator"],
  );
  assert.deepEqual(certificates.login, { role: "r", mount: "kubernetes" });
});

test("what is wrong is told with the flag and what it takes, wherever it was said", () => {
  refused(["--parts", "routing,dns"], '--parts is one of routing, applications, not "dns"');
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

test("help names every flag with its variable and default", () => {
  assert.equal(readOperatorOptions(["-h"], {}), "help");
  assert.match(OPERATOR_HELP, /--grpc-port \(GRPC_PORT\)\n {8}where gateways dial in, over mTLS; default: 9444/u);
  assert.match(OPERATOR_HELP, /--gateways \(GATEWRIGHT_GATEWAYS\)\n[^\n]*with commas\n/u);
});
