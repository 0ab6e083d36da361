import assert from "node:assert/strict";
import { generateKeyPairSync, sign as signed } from "node:crypto";
import { after, before, test } from "node:test";
import { GuardedWorld } from "./guarded-world.ts";

const world = new GuardedWorld();
const YEAR = 31_536_000;
const ends = Math.floor(Date.now() / 1000) + YEAR;
const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const coded = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/** An ES256 token. */
function bearer(claims: object = {}): Record<string, string> {
  const text = `${coded({ alg: "ES256", kid: "k" })}.${coded({ sub: "ada", exp: ends, ...claims })}`;
  const signature = signed("sha256", Buffer.from(text), { key: privateKey, dsaEncoding: "ieee-p1363" });
  return { authorization: `Bearer ${text}.${signature.toString("base64url")}` };
}

let echo: number;
before(async () => {
  await world.start();
  echo = await world.serve((request, response) => {
    let bytes = 0;
    request.on("data", (chunk: Buffer) => (bytes += chunk.length));
    request.on("end", () => response.end(JSON.stringify({ bytes, headers: request.headers, url: request.url })));
  });
});
after(() => world.close());

const route = (port: number): object => ({ route: [{ destination: { host: "127.0.0.1", port } }] });

test("tokens are verified with keys that the gateway fetches from a real issuer", async () => {
  let asked = 0;
  const jwk = { ...publicKey.export({ format: "jwk" }), kid: "k" };
  const port = await world.serve((request, response) => {
    asked++;
    const issuer = `http://127.0.0.1:${port}`;
    const discovery = { issuer, jwks_uri: `${issuer}/keys` };
    response.end(JSON.stringify(request.url === "/keys" ? { keys: [jwk] } : discovery));
  });
  const issuer = `http://127.0.0.1:${port}`;
  const findings = world.routes({
    jwt: {
      ...route(echo),
      match: [{ uri: { prefix: "/jwt" } }],
      authentication: { enabled: true, jwt: { enabled: true, jwksUrl: `${issuer}/keys` } },
    },
    oidc: {
      ...route(echo),
      match: [{ uri: { prefix: "/oidc" } }],
      authentication: {
        enabled: true,
        oidc: { enabled: true, providers: [{ name: "main", issuerUrl: issuer, clientId: "shop" }] },
      },
    },
  });
  assert.deepEqual(
    findings.map(({ severity, field }) => [severity, field]),
    [["warning", "spec.authentication.jwt.jwksUrl"]],
  );
  assert.equal((await world.send("/jwt")).status, 401);
  assert.equal((await world.send("/jwt", bearer())).status, 200);
  assert.equal((await world.send("/jwt", bearer())).status, 200);
  assert.equal(asked, 1);
  assert.equal((await world.send("/oidc", bearer())).status, 401);
  assert.equal((await world.send("/oidc", bearer({ iss: issuer, aud: "shop" }))).status, 200);
  assert.equal((await world.send("/oidc", bearer({ iss: issuer, aud: "other" }))).status, 401);
});

test("a policy engine decides by what it is told, and its decisions are kept", async () => {
  const questions: string[] = [];
  const opa = await world.serve((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += String(chunk)));
    request.on("end", () => {
      questions.push(`${request.method} ${request.url}`);
      const { input } = JSON.parse(body) as { input: { resource: string; request: { headers: { tenant?: string } } } };
      response.end(JSON.stringify({ result: { allow: input.request.headers.tenant === "a" } }));
    });
  });
  const external = { enabled: true, opa: { url: `http://127.0.0.1:${opa}`, policy: "gateway/authz" } };
  world.routes({
    guarded: { ...route(echo), authorization: { enabled: true, external, cache: { enabled: true, ttl: "1h" } } },
  });
  assert.equal((await world.send("/x", { tenant: "a" })).status, 200);
  assert.equal((await world.send("/x", { tenant: "a" })).status, 200);
  assert.equal((await world.send("/x", { tenant: "b" })).status, 403);
  assert.deepEqual(questions, ["POST /v1/data/gateway/authz", "POST /v1/data/gateway/authz"]);
});

test("an issuer at a metadata address is never asked, and nobody passes", async () => {
  const jwt = { enabled: true, jwksUrl: "http://169.254.169.254/keys" };
  world.routes({ guarded: { ...route(echo), authentication: { enabled: true, jwt } } });
  assert.equal((await world.send("/", bearer())).status, 503);
});

test("a guard that cannot be made closes its route, and a wider route does not answer in its place", async () => {
  const open = { ...route(echo), match: [{ uri: { prefix: "/" } }] };
  const closed = {
    ...route(echo),
    match: [{ uri: { prefix: "/admin" } }],
    authentication: { enabled: true, jwt: { enabled: true, publicKey: "not a key" } },
  };
  const findings = world.routes({ open, closed });
  assert.deepEqual(
    findings.map(({ name, severity, field }) => [name, severity, field]),
    [["closed", "error", "spec.authentication.jwt.publicKey"]],
  );
  assert.equal((await world.send("/other")).status, 200);
  assert.equal((await world.send("/admin/x", bearer())).status, 503);
});

test("a body without length breaks off where it becomes too large, with 413 and what the route says about other sites", async () => {
  const cors = { allowOrigins: ["https://a.example"] };
  world.routes({ limited: { ...route(echo), requestLimits: { maxBodySize: 1000 }, cors } });
  const chunk = Buffer.alloc(400);
  const small = await world.send("/", {}, [chunk, chunk]);
  assert.deepEqual([small.status, JSON.parse(small.body).bytes], [200, 800]);
  const large = await world.send("/", { origin: "https://a.example" }, [chunk, chunk, chunk]);
  assert.equal(large.status, 413);
  assert.equal(large.headers["access-control-allow-origin"], "https://a.example");
  assert.deepEqual(world.faults, []);
});

test("bodies that are too large do not open the circuit of a backend", async () => {
  const chunk = Buffer.alloc(800);
  world.routes(
    { limited: { route: [{ destination: { host: "shop", port: echo } }], requestLimits: { maxBodySize: 1000 } } },
    {
      shop: {
        hosts: [{ address: "127.0.0.1", port: echo }],
        circuitBreaker: { enabled: true, threshold: 2, timeout: "1h" },
      },
    },
  );
  for (let time = 0; time < 4; time++) assert.equal((await world.send("/", {}, [chunk, chunk])).status, 413);
  assert.equal((await world.send("/", {}, [chunk])).status, 200);
});
