import assert from "node:assert/strict";
import { get } from "node:http";
import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import { createApiServer } from "@gatewright/apiserver";
import type { ApiServer } from "@gatewright/apiserver";
import { core, rbac } from "@gatewright/kube/api";
import { nextTurn, seededRandom, systemClock } from "@gatewright/ports";
import { createClient, createManager, rbacFor } from "@gatewright/runtime";
import type { Client, Transport } from "@gatewright/runtime";
import { parseEvents } from "../testing/reader.ts";
import { Planet, Widget, defineWidgets } from "../testing/widgets.ts";
import { eventAccess, serveEvents } from "./serve-events.ts";

const clock = systemClock;
const random = seededRandom(6);
const OPERATOR = "system:serviceaccount:gatewright:operator";

async function grant(admin: Client, name: string, rules: rbac.PolicyRule[], namespace?: string, user = name) {
  const scope = namespace === undefined ? {} : { namespace };
  const kind = namespace === undefined ? "ClusterRole" : "Role";
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind, name };
  const subjects = [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: user }];
  const [role, binding] =
    namespace === undefined ? [rbac.ClusterRole, rbac.ClusterRoleBinding] : [rbac.Role, rbac.RoleBinding];
  await admin.for(role).create({ metadata: { name, ...scope }, rules });
  await admin.for(binding).create({ metadata: { name, ...scope }, roleRef, subjects });
}

describe("the event server of an operator in a cluster", () => {
  let cluster: ApiServer;
  let admin: Client;
  let url = "";
  let away = false;
  const stop = new AbortController();
  let running: Promise<void> = Promise.resolve();

  before(async () => {
    cluster = await createApiServer({
      access: "required",
      tokens: ["alice", "bob", "carol", "root"].map((name) => ({
        token: `${name}-token`,
        user: { username: name, groups: name === "root" ? ["system:masters"] : [] },
      })),
    });
    admin = createClient(cluster.transport(), { clock, random });
    await defineWidgets(admin);
    await cluster.idle();
    const { clusterRole } = rbacFor([eventAccess([Widget, Planet])], { name: "operator", events: false });
    await grant(admin, "operator", clusterRole?.rules ?? [], undefined, OPERATOR);
    const widgets = [{ apiGroups: [Widget.group], resources: ["widgets"], verbs: ["list", "watch"] }];
    await grant(admin, "alice", widgets);
    await grant(admin, "bob", widgets, "default");
    const transport: Transport = (request) => {
      if (away && request.path.includes("review")) return Promise.reject(new Error("the API server is away"));
      return cluster.transport({ username: OPERATOR, groups: [] })(request);
    };
    const manager = createManager({ name: "operator", transport, clock, random });
    const { promise, resolve } = Promise.withResolvers<AddressInfo>();
    await serveEvents(manager, {
      resources: [Widget, Planet],
      clock,
      random,
      port: 0,
      host: "127.0.0.1",
      // Answers are believed for no time, so that each test sees the rules of its own moment.
      ttlMs: 0,
      listening: resolve,
    });
    running = manager.run(stop.signal);
    url = `http://127.0.0.1:${(await promise).port}`;
    while (manager.health("ready").some(({ problem }) => problem !== undefined)) await nextTurn();
    await admin.for(Widget).create({ metadata: { name: "one", namespace: "default" } });
    await admin.for(Widget).create({ metadata: { name: "far", namespace: "kube-system" } });
    while ((await ask("/events", "root")).names?.length !== 2) await nextTurn();
  });

  after(async () => {
    stop.abort();
    await running;
    await cluster.close();
  });

  async function ask(path: string, token?: string, method = "GET") {
    const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}-token` };
    const response = await fetch(`${url}${path}`, { headers, method });
    const body = (await response.json()) as { kind?: string; message?: string; items?: { name: string }[] };
    return { status: response.status, body, names: body.items?.map(({ name }) => name) };
  }

  /** Reads a stream until it has said `word`, then leaves it. */
  async function watch(path: string, token: string, word: string) {
    const message = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}-token` };
      get(`${url}${path}`, { headers, agent: false }, resolve).once("error", reject);
    });
    let text = "";
    for await (const chunk of message) {
      text += String(chunk);
      if (text.includes(word)) break;
    }
    return { status: message.statusCode, events: parseEvents(text) };
  }

  test("asks for a token, and takes none that the API server does not know", async () => {
    for (const token of [undefined, "nobody"]) {
      const { status, body } = await ask("/events", token);
      assert.equal(status, 401);
      assert.equal(body.kind, "Status");
    }
    assert.equal((await ask("/", "alice")).status, 404);
    assert.equal((await ask("/watch", "alice", "DELETE")).status, 405);
  });

  test("shows each caller what it may list: everything, one kind, one namespace, nothing", async () => {
    assert.deepEqual((await ask("/events", "root")).names, ["one", "far"]);
    assert.deepEqual((await ask("/events", "alice")).names, ["one", "far"]);
    assert.equal((await ask("/events?kind=Planet", "alice")).status, 403);
    assert.equal((await ask("/events", "bob")).status, 403);
    assert.deepEqual((await ask("/events?namespace=default", "bob")).names, ["one"]);
    assert.equal((await ask("/events?namespace=kube-system", "bob")).status, 403);
    assert.equal((await ask("/events", "carol")).status, 403);
  });

  test("streams to a caller what it may watch", async () => {
    const { status, events } = await watch("/watch?namespace=default", "bob", "BOOKMARK");
    assert.equal(status, 200);
    assert.deepEqual(
      events.map(({ event, data }) => [event, data.name]),
      [
        ["ADDED", "one"],
        ["BOOKMARK", undefined],
      ],
    );
  });

  test("knows service accounts by their tokens", async () => {
    const token = await admin
      .for(core.ServiceAccount)
      .subresource<{ status?: { token?: string } }>("token")
      .create(
        { namespace: "default", name: "default" },
        { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", metadata: {}, spec: {} },
      );
    const headers = { authorization: `Bearer ${token.status?.token}` };
    assert.equal((await fetch(`${url}/events`, { headers })).status, 403);
    const user = "system:serviceaccount:default:default";
    await grant(admin, "reader", [{ apiGroups: ["*"], resources: ["*"], verbs: ["list"] }], undefined, user);
    assert.equal((await fetch(`${url}/events`, { headers })).status, 200);
  });

  test("shows nothing when the API server cannot be asked, and says when to come back", async () => {
    away = true;
    const refused = await fetch(`${url}/events`, { headers: { authorization: "Bearer root-token" } });
    away = false;
    assert.equal(refused.status, 503);
    assert.equal(refused.headers.get("retry-after"), "1");
    assert.ok(!(await refused.text()).includes("root-token"));
    assert.equal((await ask("/events", "root")).status, 200);
  });
});
