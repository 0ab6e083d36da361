import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { createApiServer, createCertificateAuthority } from "@gatewright/apiserver";
import type { ApiServer, CertificateAuthority, Listener } from "@gatewright/apiserver";
import type { Resource } from "@gatewright/kube";
import { ManualClock, systemClock, systemRandom } from "@gatewright/ports";
import { createClient } from "../../client/create-client.ts";
import { loadTransportConfig } from "../config/load-transport-config.ts";
import { createTransport } from "../create-transport.ts";
import type { TransportConfig } from "../transport-config.ts";

let authority: CertificateAuthority;
let server: ApiServer;
let listener: Listener;
let directory: string;
before(async () => {
  authority = await createCertificateAuthority({ clock: systemClock, random: systemRandom });
  const { certificate: cert, key } = await authority.issueServing();
  server = await createApiServer({
    access: "required",
    tokens: [{ token: "good", user: { username: "admin", groups: ["system:masters"] } }],
  });
  const tls = { cert, key, clientCa: authority.certificate };
  listener = await server.listen({ host: "127.0.0.1", port: 0, tls });
  directory = await mkdtemp(join(tmpdir(), "tls-"));
});
after(async () => {
  await listener.close();
  await server.close();
  await rm(directory, { recursive: true });
});

const reviews: Resource = {
  group: "authentication.k8s.io",
  version: "v1",
  kind: "SelfSubjectReview",
  plural: "selfsubjectreviews",
  namespaced: false,
};

const base = (): TransportConfig => ({
  server: listener.url,
  ca: { text: authority.certificate },
  namespace: "default",
  origin: "test",
});

/** Who the server takes the holder of a configuration for. */
async function whoAmI(config: TransportConfig, clock = new ManualClock()): Promise<string> {
  const transport = createTransport(config, { clock });
  try {
    return await ask(createClient(transport, { retry: false }));
  } finally {
    transport.close();
  }
}

async function ask(client: ReturnType<typeof createClient>): Promise<string> {
  const review = await client.for(reviews).create({ metadata: {} });
  return (review as unknown as { status: { userInfo: { username: string } } }).status.userInfo.username;
}

test("a token and a client certificate each say who calls", async () => {
  assert.equal(await whoAmI({ ...base(), token: { text: "good" } }), "admin");
  const { certificate, key } = await authority.issueClient({ commonName: "carol", organizations: ["system:masters"] });
  const clientCertificate = { cert: { text: certificate }, key: { text: key } };
  assert.equal(await whoAmI({ ...base(), clientCertificate }), "carol");
  const impersonate = { user: "dave" };
  assert.equal(await whoAmI({ ...base(), clientCertificate, impersonate }), "dave");
  await assert.rejects(whoAmI({ ...base(), token: { text: "bad" } }), { code: 401 });
});

test("a server is believed by its authority and its name only, unless told to believe any", async () => {
  const stranger = await createCertificateAuthority({ clock: systemClock, random: systemRandom });
  const token = { text: "good" };
  await assert.rejects(whoAmI({ ...base(), ca: { text: stranger.certificate }, token }), { code: "tls" });
  await assert.rejects(whoAmI({ ...base(), serverName: "other.example", token }), { code: "tls" });
  const { ca: _, ...trusting } = base();
  await assert.rejects(whoAmI({ ...trusting, token }), { code: "tls" });
  assert.equal(await whoAmI({ ...trusting, insecure: true, token }), "admin");
  assert.equal(await whoAmI({ ...base(), serverName: "kubernetes.default.svc", token }), "admin");
  const plain = base().server.replace("https:", "http:");
  await assert.rejects(whoAmI({ ...base(), server: plain, token }), { name: /TransportError|StatusError/ });
});

test("certificates and tokens that are replaced on disk are used without a restart", async () => {
  const paths = { cert: join(directory, "c.crt"), key: join(directory, "c.key"), ca: join(directory, "ca.crt") };
  const put = async (commonName: string): Promise<void> => {
    const { certificate, key } = await authority.issueClient({ commonName, organizations: ["system:masters"] });
    await writeFile(paths.cert, certificate);
    await writeFile(paths.key, key);
  };
  await put("old");
  const stranger = await createCertificateAuthority({ clock: systemClock, random: systemRandom });
  await writeFile(paths.ca, stranger.certificate);
  const clock = new ManualClock();
  const clientCertificate = { cert: { file: paths.cert }, key: { file: paths.key } };
  const transport = createTransport({ ...base(), ca: { file: paths.ca }, clientCertificate }, { clock });
  const client = createClient(transport, { retry: false });
  await assert.rejects(ask(client), { code: "tls" });
  await writeFile(paths.ca, authority.certificate);
  clock.advance(60_000);
  assert.equal(await ask(client), "old");
  await put("new");
  assert.equal(await ask(client), "old");
  clock.advance(60_000);
  assert.equal(await ask(client), "new");
  await writeFile(paths.key, stranger.key);
  clock.advance(60_000);
  assert.equal(await ask(client), "new");
  transport.close();
});

test("a kubeconfig with a plugin leads all the way to the server", async () => {
  const plugin = join(directory, "plugin.mjs");
  await writeFile(
    plugin,
    `const { spec, apiVersion } = JSON.parse(process.env.KUBERNETES_EXEC_INFO);
     const token = spec.cluster.server.startsWith("https://127.0.0.1") ? process.env.GIVE : "bad";
     console.log(JSON.stringify({ kind: "ExecCredential", apiVersion, status: { token } }));`,
  );
  const exec = {
    apiVersion: "client.authentication.k8s.io/v1",
    command: process.execPath,
    args: [plugin],
    env: [{ name: "GIVE", value: "good" }],
    interactiveMode: "Never",
    provideClusterInfo: true,
  };
  const ca = Buffer.from(authority.certificate).toString("base64");
  const cluster = { server: listener.url, "certificate-authority-data": ca };
  const kubeconfig = join(directory, "config");
  await writeFile(
    kubeconfig,
    JSON.stringify({
      "current-context": "x",
      clusters: [{ name: "x", cluster }],
      users: [{ name: "x", user: { exec } }],
      contexts: [{ name: "x", context: { cluster: "x", user: "x" } }],
    }),
  );
  assert.equal(await whoAmI(await loadTransportConfig({ kubeconfig, env: {} })), "admin");
});

test("a watch over a socket sees changes, and its end when the server stops", async () => {
  const own = await createApiServer();
  const plain = await own.listen({ host: "127.0.0.1", port: 0 });
  const transport = createTransport({ ...base(), server: plain.url });
  const client = createClient(transport, { retry: false });
  const configMaps: Resource = { group: "", version: "v1", kind: "ConfigMap", plural: "configmaps", namespaced: true };
  const maps = client.for(configMaps);
  const seen: string[] = [];
  for await (const event of maps.watch({
    namespace: "default",
    fieldSelector: "metadata.name=seen",
    sendInitialEvents: true,
  })) {
    seen.push(event.type);
    if (seen.length === 1) await maps.create({ metadata: { namespace: "default", name: "seen" } });
    if (seen.length === 2) void plain.close().then(() => own.close());
  }
  assert.deepEqual(seen, ["BOOKMARK", "ADDED"]);
  transport.close();
});
