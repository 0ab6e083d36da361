import assert from "node:assert/strict";
import { request as plainRequest } from "node:http";
import { Agent, request as secureRequest } from "node:https";
import { after, before, describe, test } from "node:test";
import { createApiServer, createCertificateAuthority } from "@gatewright/apiserver";
import type { ApiServer, CertificateAuthority, Listener } from "@gatewright/apiserver";
import { getPath } from "@gatewright/kube";
import type { Json, JsonObject } from "@gatewright/kube";
import { systemClock, systemRandom } from "@gatewright/ports";

interface Answer {
  readonly status: number;
  readonly body: JsonObject;
}

type Send = (method: string, path: string, as?: Credentials, body?: unknown) => Promise<Answer>;
interface Credentials {
  readonly token?: string;
  readonly headers?: Record<string, string | string[]>;
  readonly tls?: { readonly cert: string; readonly key: string };
}

const RBAC = "/apis/rbac.authorization.k8s.io/v1";
const admin = { token: "admin" };
const alice = { token: "alice" };

describe("a server on TLS where callers must show who they are", () => {
  let authority: CertificateAuthority;
  let server: ApiServer;
  let listener: Listener;
  let send: Send;

  before(async () => {
    authority = await createCertificateAuthority({ clock: systemClock, random: systemRandom });
    server = await createApiServer({
      access: "required",
      tokens: [
        { token: "admin", user: { username: "admin", groups: ["system:masters"] } },
        { token: "alice", user: { username: "alice", groups: ["devs"] } },
      ],
    });
    const { certificate: cert, key } = await authority.issueServing();
    listener = await server.listen({ host: "127.0.0.1", port: 0, tls: { cert, key, clientCa: authority.certificate } });
    send = (method, path, as = {}, body) =>
      new Promise((resolve, reject) => {
        const headers = {
          ...(as.token !== undefined && { authorization: `Bearer ${as.token}` }),
          ...(body !== undefined && { "content-type": "application/json" }),
          ...as.headers,
        };
        const agent = new Agent({ ca: authority.certificate, ...as.tls });
        const sent = secureRequest(`${listener.url}${path}`, { method, headers, agent }, (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
          response.on("end", () => {
            const text = Buffer.concat(chunks).toString();
            agent.destroy();
            resolve({ status: response.statusCode ?? 0, body: text.startsWith("{") ? JSON.parse(text) : { text } });
          });
        });
        sent.on("error", reject);
        sent.end(body === undefined ? undefined : JSON.stringify(body));
      });
    await send("POST", "/api/v1/namespaces", admin, { metadata: { name: "team" } });
  });
  after(async () => {
    await listener.close();
    await server.close();
  });

  const whoami = async (as: Credentials): Promise<Json | undefined> => {
    const { body } = await send("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", as, {});
    return getPath(body, "status", "userInfo");
  };
  const grant = async (namespace: string, name: string, rules: unknown[], user: string): Promise<void> => {
    const at = `${RBAC}/namespaces/${namespace}`;
    await send("POST", `${at}/roles`, admin, { metadata: { name }, rules });
    const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name };
    const binding = { metadata: { name }, roleRef, subjects: [{ kind: "User", name: user }] };
    assert.equal((await send("POST", `${at}/rolebindings`, admin, binding)).status, 201);
  };

  test("strangers see health and version, and a bad token nothing at all", async () => {
    assert.equal((await send("GET", "/readyz")).status, 200);
    assert.equal((await send("GET", "/version")).status, 200);
    const refused = await send("GET", "/api/v1/namespaces");
    assert.equal(refused.status, 403);
    assert.match(
      String(refused.body["message"]),
      /^namespaces is forbidden: User "system:anonymous" cannot list resource/,
    );
    assert.equal((await send("GET", "/version", { token: "wrong" })).status, 401);
  });

  test("a client certificate is its user, with its organizations as groups", async () => {
    const { certificate: cert, key } = await authority.issueClient({
      commonName: "carol",
      organizations: ["ops", "x"],
    });
    assert.deepEqual(await whoami({ tls: { cert, key } }), {
      username: "carol",
      groups: ["ops", "x", "system:authenticated"],
    });
    const stranger = await createCertificateAuthority({ clock: systemClock, random: systemRandom });
    const forged = await stranger.issueClient({ commonName: "carol", organizations: ["system:masters"] });
    const answer = await send("GET", "/api/v1/nodes", { tls: { cert: forged.certificate, key: forged.key } });
    assert.match(String(answer.body["message"]), /User "system:anonymous" cannot/);
  });

  test("a right counts from the moment it is given, where it is given", async () => {
    assert.equal((await send("GET", "/api/v1/namespaces/team/configmaps", alice)).status, 403);
    await grant("team", "reader", [{ apiGroups: [""], resources: ["configmaps"], verbs: ["list"] }], "alice");
    assert.equal((await send("GET", "/api/v1/namespaces/team/configmaps", alice)).status, 200);
    assert.equal((await send("GET", "/api/v1/namespaces/default/configmaps", alice)).status, 403);
    await send("DELETE", `${RBAC}/namespaces/team/rolebindings/reader`, admin);
    assert.equal((await send("GET", "/api/v1/namespaces/team/configmaps", alice)).status, 403);
  });

  test("nobody grants what they do not hold", async () => {
    await grant(
      "team",
      "roler",
      [{ apiGroups: ["rbac.authorization.k8s.io"], resources: ["roles"], verbs: ["create", "update"] }],
      "alice",
    );
    const rules = [{ apiGroups: [""], resources: ["secrets"], verbs: ["get"] }];
    const refused = await send("POST", `${RBAC}/namespaces/team/roles`, alice, { metadata: { name: "more" }, rules });
    assert.equal(refused.status, 403);
    assert.equal(
      refused.body["message"],
      'roles.rbac.authorization.k8s.io "more" is forbidden: user "alice" (groups=["devs" "system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}',
    );
    const none = await send("POST", `${RBAC}/namespaces/team/roles`, alice, { metadata: { name: "none" }, rules: [] });
    assert.equal(none.status, 201);
  });

  test("a service account's token works until the account is gone", async () => {
    await send("POST", "/api/v1/namespaces/team/serviceaccounts", admin, { metadata: { name: "ci" } });
    const made = await send("POST", "/api/v1/namespaces/team/serviceaccounts/ci/token", admin, {});
    assert.equal(made.status, 201);
    const token = String(getPath(made.body, "status", "token"));
    assert.equal(getPath(await whoami({ token }), "username"), "system:serviceaccount:team:ci");
    await send("DELETE", "/api/v1/namespaces/team/serviceaccounts/ci", admin);
    assert.equal((await send("GET", "/version", { token })).status, 401);
  });

  test("the admin may act as others, others may not", async () => {
    const as = { "impersonate-user": "bob", "impersonate-group": ["a", "b"] };
    assert.deepEqual(await whoami({ ...admin, headers: as }), {
      username: "bob",
      groups: ["a", "b", "system:authenticated"],
    });
    assert.equal((await send("GET", "/api", { ...alice, headers: as })).status, 403);
  });

  test("a labelled ClusterRole adds to the view role", async () => {
    const labels = { "rbac.authorization.k8s.io/aggregate-to-view": "true" };
    const rules = [{ verbs: ["get"], apiGroups: ["example.com"], resources: ["widgets"] }];
    await send("POST", `${RBAC}/clusterroles`, admin, { metadata: { name: "view-widgets", labels }, rules });
    await server.idle();
    for (const level of ["view", "edit", "admin"]) {
      const { body } = await send("GET", `${RBAC}/clusterroles/${level}`, admin);
      assert.ok(JSON.stringify(body["rules"]).includes('"widgets"'), level);
    }
  });
});

test("on loopback one is the admin, but not by a foreign name or from a foreign page", async () => {
  const server = await createApiServer();
  const listener = await server.listen({ host: "127.0.0.1", port: 0 });
  const status = (headers: Record<string, string>): Promise<number> =>
    new Promise((resolve, reject) => {
      const sent = plainRequest(`${listener.url}/api/v1/namespaces`, { headers, agent: false }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      sent.on("error", reject);
      sent.end();
    });
  assert.equal(await status({}), 200);
  assert.equal(await status({ host: `localhost:${listener.port}`, origin: `http://localhost:${listener.port}` }), 200);
  assert.equal(await status({ host: "rebound.example" }), 403);
  assert.equal(await status({ origin: "https://evil.example" }), 403);
  assert.equal(await status({ "sec-fetch-site": "cross-site" }), 403);
  assert.equal(await status({ authorization: "Bearer wrong" }), 401);
  await listener.close();
  await server.close();
});
