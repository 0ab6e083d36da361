import assert from "node:assert/strict";
import { get } from "node:http";
import type { IncomingMessage } from "node:http";
import { test } from "node:test";
import { badRequest } from "@gatewright/kube";
import { nextTurn } from "@gatewright/ports";
import { createApiServer } from "./api-server.ts";
import type { ApiServerOptions } from "./api-server-options.ts";
import type { ExtraPath } from "./extra-paths.ts";
import type { StreamSink } from "./http/api-request.ts";

const whoami: ExtraPath = {
  path: "/whoami",
  handle: (_request, user) => ({ status: 200, headers: {}, body: Buffer.from(user.username) }),
};

async function serve(options: ApiServerOptions) {
  const server = await createApiServer(options);
  const listener = await server.listen({ host: "127.0.0.1", port: 0 });
  return {
    server,
    url: listener.url,
    async [Symbol.asyncDispose]() {
      await listener.close();
      await server.close();
    },
  };
}

const respond = (url: string, headers: Record<string, string> = {}): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => get(url, { headers, agent: false }, resolve).once("error", reject));

test("an extra path is told who asks, is named by the index, and takes GET alone", async () => {
  await using world = await serve({ paths: { served: [whoami], about: { name: "a server" } } });
  const answer = await fetch(`${world.url}/whoami`);
  assert.equal(await answer.text(), "kubernetes-admin");
  assert.equal(answer.headers.get("x-frame-options"), "DENY");
  const index = (await (await fetch(`${world.url}/`)).json()) as { name: string; paths: string[] };
  assert.equal(index.name, "a server");
  assert.ok(index.paths.includes("/whoami") && index.paths.includes("/healthz"));
  const posted = await fetch(`${world.url}/whoami`, { method: "POST" });
  assert.equal(posted.status, 405);
  assert.equal(((await posted.json()) as { kind: string }).kind, "Status");
  assert.equal((await fetch(`${world.url}/whoami/else`)).status, 404);
});

test("a path that ends with a slash is a folder; what its handler throws is a Status", async () => {
  const refuse: ExtraPath = {
    path: "/pages/",
    handle: ({ path }) => {
      throw badRequest(`no ${path}`);
    },
  };
  await using world = await serve({ paths: { served: [refuse] } });
  const answer = await fetch(`${world.url}/pages/a/b`);
  assert.equal(answer.status, 400);
  assert.equal(((await answer.json()) as { message: string }).message, "no /pages/a/b");
});

test("a browser that asks for the index is sent home; others get JSON", async () => {
  await using world = await serve({ paths: { served: [], home: "/console/" } });
  const browser = await respond(`${world.url}/`, { accept: "text/html,application/xhtml+xml,*/*;q=0.8" });
  browser.resume();
  assert.equal(browser.statusCode, 302);
  assert.equal(browser.headers.location, "/console/");
  assert.equal((await fetch(`${world.url}/`, { headers: { accept: "*/*" } })).status, 200);
});

test("pages of other sites and names that DNS points here do not reach an extra path", async () => {
  await using world = await serve({ paths: { served: [whoami] } });
  for (const headers of [
    { host: "rebound.example:3000" },
    { origin: "https://evil.example" },
    { "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors" },
  ]) {
    const answer = await respond(`${world.url}/whoami`, headers);
    answer.resume();
    assert.equal(answer.statusCode, 403, JSON.stringify(headers));
    assert.equal(answer.headers["access-control-allow-origin"], undefined);
  }
});

test("a caller needs a rule on the path", async () => {
  const tokens = [
    { token: "admin", user: { username: "admin", groups: ["system:masters"] } },
    { token: "alice", user: { username: "alice", groups: [] } },
  ];
  await using world = await serve({ access: "required", tokens, paths: { served: [whoami] } });
  const as = async (token: string) =>
    (await fetch(`${world.url}/whoami`, { headers: { authorization: `Bearer ${token}` } })).status;
  assert.equal(await as("admin"), 200);
  assert.equal(await as("alice"), 403);
  assert.equal(await as("nobody"), 401);
  assert.equal((await fetch(`${world.url}/whoami`)).status, 403);
});

test("a path of the server itself cannot be taken", async () => {
  for (const path of ["/", "/apis", "/healthz/x", "/openapi/", "watch"]) {
    await assert.rejects(createApiServer({ paths: { served: [{ ...whoami, path }] } }), TypeError, path);
  }
});

interface Stream extends ExtraPath {
  sink?: StreamSink;
  left: number;
}

function stream(): Stream {
  const path: Stream = {
    path: "/stream",
    left: 0,
    handle: () => ({
      status: 200,
      headers: { "content-type": "text/event-stream" },
      body: {
        start(sink) {
          path.sink = sink;
          sink.write(Buffer.from("hello"));
          return () => void path.left++;
        },
      },
    }),
  };
  return path;
}

test("a stream is left when its reader goes away", async () => {
  const path = stream();
  await using world = await serve({ paths: { served: [path] } });
  const answer = await respond(`${world.url}/stream`);
  await new Promise((resolve) => answer.once("data", resolve));
  answer.destroy();
  while (path.left === 0) await nextTurn();
});

test("a stream ends when the server closes, over sockets and in the process", async () => {
  const path = stream();
  const server = await createApiServer({ paths: { served: [path] } });
  const { body } = await server.transport()({ method: "GET", path: "/stream" });
  const chunks: string[] = [];
  const read = (async () => {
    for await (const chunk of body) chunks.push(chunk.toString());
  })();
  while (chunks.length === 0) await nextTurn();
  await server.close();
  await read;
  assert.deepEqual(chunks, ["hello"]);
  assert.ok(path.left > 0);
});

test("a path says who may have it: whoever a rule lets, whoever says who they are, or anybody", async () => {
  const paths = {
    served: [
      { ...whoami, path: "/open/", access: "anybody" as const },
      { ...whoami, path: "/open/users/", access: "users" as const },
      whoami,
    ],
  };
  const alice = { token: "alice-token", user: { username: "alice", groups: [] } };
  await using world = await serve({ access: "required", tokens: [alice], paths });
  const ask = async (path: string, token?: string): Promise<string> => {
    const answer = await fetch(
      world.url + path,
      token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } },
    );
    return answer.status === 200 ? answer.text() : String(answer.status);
  };
  assert.equal(await ask("/open/page"), "system:anonymous");
  assert.equal(await ask("/open/page", "nonsense"), "system:anonymous");
  assert.equal(await ask("/open/users/me", "nonsense"), "401");
  assert.equal(await ask("/open/users/me", "alice-token"), "alice");
  assert.equal(await ask("/whoami", "alice-token"), "403");
});
