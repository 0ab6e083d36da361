import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { after, before, test } from "node:test";
import { inspect } from "node:util";
import { loadTransportConfig } from "./load-transport-config.ts";
import { KubeconfigError } from "./kubeconfig-error.ts";
import { proxyFromEnvironment } from "./proxy-from-environment.ts";

let directory: string;
before(async () => {
  directory = await mkdtemp(join(tmpdir(), "kubeconfig-"));
});
after(() => rm(directory, { recursive: true }));

let files = 0;
async function file(content: string): Promise<string> {
  const path = join(directory, `config-${++files}`);
  await writeFile(path, content);
  return path;
}

const PEM = "-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n";
const base64 = (text: string): string => Buffer.from(text).toString("base64");

function kubeconfig({ cluster = "{server: 'https://one:6443'}", user = "{}", context = "" }): string {
  return `
apiVersion: v1
kind: Config
current-context: main
clusters: [{name: c, cluster: ${cluster}}]
users: [{name: u, user: ${user}}]
contexts: [{name: main, context: {cluster: c, user: u${context}}}]
`;
}

const load = async (parts: Parameters<typeof kubeconfig>[0]) =>
  loadTransportConfig({ kubeconfig: await file(kubeconfig(parts)), env: {} });

test("clusters: certificates in place or in files beside the kubeconfig, other names, no verification, proxies", async () => {
  const inline = await load({ cluster: `{server: 'https://one', certificate-authority-data: ${base64(PEM)}}` });
  assert.deepEqual([inline.server, inline.ca, inline.namespace], ["https://one/", { text: PEM }, "default"]);
  const beside = await load({
    cluster:
      "{server: 'https://one', certificate-authority: pki/ca.crt, tls-server-name: k, proxy-url: 'socks5://p:1'}",
  });
  assert.deepEqual(beside.ca, { file: join(directory, "pki/ca.crt") });
  assert.deepEqual([beside.serverName, beside.proxy], ["k", "socks5://p:1"]);
  assert.equal((await load({ cluster: "{server: 'https://one', insecure-skip-tls-verify: true}" })).insecure, true);
});

test("users: tokens, token files before tokens, passwords, certificates, impersonation, plugins", async () => {
  const context = ", namespace: team";
  assert.deepEqual((await load({ user: "{token: t}", context })).token, { text: "t" });
  assert.equal((await load({ user: "{token: t}", context })).namespace, "team");
  assert.deepEqual((await load({ user: "{token: t, tokenFile: tok}" })).token, { file: join(directory, "tok") });
  assert.deepEqual((await load({ user: "{username: a, password: b}" })).basic, { username: "a", password: "b" });
  const certificate = await load({ user: "{client-certificate: /a.crt, client-key: k/a.key}" });
  const key = { file: join(directory, "k/a.key") };
  assert.deepEqual(certificate.clientCertificate, { cert: { file: "/a.crt" }, key });
  const acting = await load({ user: "{as: bob, as-uid: '7', as-groups: [x], as-user-extra: {k: [v]}}" });
  assert.deepEqual(acting.impersonate, { user: "bob", uid: "7", groups: ["x"], extra: { k: ["v"] } });
  const { exec } = await load({
    cluster: `{server: 'https://one', certificate-authority-data: ${base64(PEM)}, extensions: [{name: client.authentication.k8s.io/exec, extension: {audience: a}}]}`,
    user: "{exec: {apiVersion: client.authentication.k8s.io/v1beta1, command: ./bin/token, args: [a], env: [{name: E, value: v}], provideClusterInfo: true, installHint: get it}}",
  });
  assert.deepEqual(exec, {
    apiVersion: "client.authentication.k8s.io/v1beta1",
    command: join(directory, "bin/token"),
    args: ["a"],
    env: [{ name: "E", value: "v" }],
    interactiveMode: "IfAvailable",
    installHint: "get it",
    cluster: { server: "https://one", "certificate-authority-data": base64(PEM), config: { audience: "a" } },
  });
});

test("a configuration is plain data, fit to be sent to a worker", async () => {
  const config = await load({ user: "{token: t}" });
  assert.deepEqual(structuredClone(config), config);
});

test("several files are one: the first that names something counts, and absent ones are passed over", async () => {
  const first = await file("{current-context: second, users: [{name: u, user: {token: mine}}]}");
  const second = await file(
    kubeconfig({ user: "{token: theirs}" }).replace("name: main", "name: second").replace("current-context: main", ""),
  );
  const KUBECONFIG = [join(directory, "absent"), first, "", second].join(delimiter);
  const config = await loadTransportConfig({ env: { KUBECONFIG } });
  assert.deepEqual(config.token, { text: "mine" });
  assert.equal(config.origin, `context "second" of ${second}`);
});

const wrong: readonly (readonly [string, Parameters<typeof kubeconfig>[0], RegExp])[] = [
  ["no server", { cluster: "{}" }, /context "main" has no server/],
  ["a server that is no URL", { cluster: "{server: 'ftp://x'}" }, /no http or https URL/],
  ["an absent cluster", { context: ", cluster: other" }, /names the cluster "other"/],
  ["a retired provider", { user: "{auth-provider: {name: gcp, config: {access-token: SECRET}}}" }, /"gcp" is retired/],
  ["a certificate without its key", { user: `{client-certificate-data: ${base64(PEM)}}` }, /need each other/],
  ["data that is no PEM", { user: "{client-key-data: SECRET}" }, /PEM in base64/],
  ["two logins", { user: "{token: SECRET, username: a}" }, /exclude each other/],
  ["an unknown plugin version", { user: "{exec: {apiVersion: v0, command: x}}" }, /apiVersion "v0"/],
  [
    "a plugin without its mode",
    { user: "{exec: {apiVersion: client.authentication.k8s.io/v1, command: x}}" },
    /interactiveMode/,
  ],
  ["a proxy of another kind", { cluster: "{server: 'https://x', proxy-url: 'ftp://x'}" }, /proxy-url/],
  ["groups without a user", { user: "{as-groups: [x]}" }, /need as/],
  ["broken YAML", { user: "{token: SECRET" }, /is not YAML/],
];
for (const [what, parts, message] of wrong) {
  test(`${what} is told with the file, and without secrets`, async () => {
    await assert.rejects(load(parts), (error: unknown) => {
      assert.ok(error instanceof KubeconfigError);
      assert.match(error.message, message);
      assert.ok(error.message.includes(directory) && !error.message.includes("SECRET"), error.message);
      return true;
    });
  });
}

test("a context that is not there is answered with those that are", async () => {
  const path = await file(kubeconfig({}));
  await assert.rejects(loadTransportConfig({ kubeconfig: path, context: "prod", env: {} }), /"prod"; there are: main/);
  const none = await file("{contexts: [{name: a, context: {}}, {name: b}]}");
  await assert.rejects(loadTransportConfig({ kubeconfig: none, env: {} }), /choose one: a, b/);
});

test("a pod uses its service account, unless KUBECONFIG or a context is given", async () => {
  const account = join(directory, "account");
  await mkdir(account);
  const env = { KUBERNETES_SERVICE_HOST: "fd00::1", KUBERNETES_SERVICE_PORT: "443" };
  const options = { env, serviceAccountDirectory: account, home: directory };
  await assert.rejects(loadTransportConfig(options), /automountServiceAccountToken/);
  await writeFile(join(account, "token"), "t");
  await writeFile(join(account, "namespace"), "team\n");
  assert.deepEqual(await loadTransportConfig(options), {
    server: "https://[fd00::1]:443",
    ca: { file: join(account, "ca.crt") },
    token: { file: join(account, "token") },
    namespace: "team",
    origin: "the service account of this pod",
  });
  const KUBECONFIG = await file(kubeconfig({}));
  assert.equal((await loadTransportConfig({ ...options, env: { ...env, KUBECONFIG } })).server, "https://one:6443/");
  await assert.rejects(loadTransportConfig({ env: {}, home: directory }), /no API server is configured: .*\.kube/);
});

test("proxies of the environment are used, but not for what they exclude, and never for this machine", () => {
  const env = { HTTPS_PROXY: "proxy:3128", no_proxy: "10.0.0.0/8, .internal,example.com:6443" };
  const proxied = (server: string): boolean => proxyFromEnvironment(server, env) === "http://proxy:3128";
  assert.ok(proxied("https://api.cloud") && proxied("https://11.0.0.1") && proxied("https://example.com"));
  for (const host of [
    "10.1.2.3",
    "api.internal",
    "example.com:6443",
    "a.example.com:6443",
    "localhost",
    "127.0.0.1",
    "[::1]",
  ]) {
    assert.ok(!proxied(`https://${host}`), host);
  }
  assert.equal(proxyFromEnvironment("http://api.cloud", env), undefined);
});

test("a proxy of the environment that is no URL is refused without being told: it may hold a password", () => {
  const env = { HTTPS_PROXY: "http://user:hush@:bad:/" };
  assert.throws(
    () => proxyFromEnvironment("https://api.cloud", env),
    (error) => error instanceof KubeconfigError && !inspect(error).includes("hush"),
  );
});
