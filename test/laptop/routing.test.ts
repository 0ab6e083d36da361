import assert from "node:assert/strict";
import { request } from "node:http";
import { test } from "node:test";
import { apps, core, networking } from "@gatewright/kube/api";
import { APIRoute, Backend } from "@gatewright/resources";
import { laptopWorld, NAMESPACE, until } from "./laptop-world.ts";
import type { LaptopWorld } from "./laptop-world.ts";

const at = (name: string) => ({ namespace: NAMESPACE, name });
const toService = [{ destination: { host: "hello-service", port: 8080 } }];

interface Answer {
  readonly status: number;
  readonly body: string;
}

function asked({ laptop }: LaptopWorld, path: string, host = "any.example"): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(`${laptop.gateway?.url}${path}`, { headers: { host }, agent: false }, (response) => {
      let body = "";
      response.setEncoding("utf8");
      response.on("data", (text: string) => (body += text));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body }));
    });
    sent.on("error", reject);
    sent.end();
  });
}

/** Two pods that answer, and their Service. */
async function hello({ client }: LaptopWorld): Promise<void> {
  const labels = { app: "hello" };
  const containers = [{ name: "web", image: "gatewright/echo:v1", ports: [{ containerPort: 8080 }] }];
  await client.for(apps.Deployment).apply({
    metadata: at("hello"),
    spec: { replicas: 2, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
  });
  await client
    .for(core.Service)
    .apply({ metadata: at("hello-service"), spec: { selector: labels, ports: [{ port: 8080 }] } });
}

const readyOf = async ({ client }: LaptopWorld, name: string): Promise<string> => {
  const { metadata, status } = await client.for(APIRoute).get(at(name));
  const ready = status?.conditions?.find(({ type }) => type === "Ready");
  return ready?.observedGeneration === metadata.generation ? `${ready?.status} ${ready?.message}` : "";
};

test("what users of the seed write is served: a route to a Service, a backend, an Ingress, an edit, and statuses that are true", async () => {
  await using world = await laptopWorld({ gateway: true });
  const { client } = world;
  await hello(world);
  await client.for(Backend).create({
    metadata: at("hello-backend"),
    spec: {
      hosts: [{ address: `hello-service.${NAMESPACE}.svc.cluster.local`, port: 8080, weight: 1 }],
      healthCheck: { path: "/health", interval: "10s", timeout: "5s" },
    },
  } as never);
  await client.for(APIRoute).create({
    metadata: at("hello-route"),
    spec: { match: [{ uri: { prefix: "/hello" }, methods: ["GET"] }], route: toService },
  } as never);
  await client.for(networking.Ingress).create({
    metadata: { ...at("api-ingress"), annotations: { "avapigw.io/timeout": "30s", "avapigw.io/retries": "3" } },
    spec: {
      ingressClassName: "avapigw",
      rules: [
        {
          host: "api.example.com",
          http: {
            paths: [
              {
                path: "/api/v1",
                pathType: "Prefix",
                backend: { service: { name: "hello-service", port: { number: 8080 } } },
              },
            ],
          },
        },
      ],
    },
  });
  await until(
    "the route is ready",
    async () => (await readyOf(world, "hello-route")) === "True Route applied to 1 of 1 gateways",
  );
  await until("the pods answer by the route", async () => (await asked(world, "/hello")).status === 200);
  await until("and by the Ingress", async () => (await asked(world, "/api/v1/x", "api.example.com")).status === 200);
  assert.equal((await asked(world, "/api/v1/x", "other.example.com")).status, 404);
  await until("the Ingress says where", async () => {
    const { status } = await client.for(networking.Ingress).get(at("api-ingress"));
    return status?.loadBalancer?.ingress?.[0]?.ip === "127.0.0.1";
  });
  const pods = new Set<string>();
  for (let turn = 0; turn < 8; turn++)
    pods.add(/"name": "(hello-[^"]+)"/u.exec((await asked(world, "/hello")).body)?.[1] ?? "");
  assert.equal(pods.size, 2);

  await client.for(APIRoute).patch(at("hello-route"), { merge: { spec: { match: [{ uri: { prefix: "/hi" } }] } } });
  await until("the edit is live", async () => (await asked(world, "/hi")).status === 200);
  assert.equal((await asked(world, "/hello")).status, 404);
  await client.for(APIRoute).delete(at("hello-route"));
  await until("the route is gone", async () => (await asked(world, "/hi")).status === 404);
  assert.deepEqual(world.faults, []);
});

test("a route that somebody has, and one that no gateway would take, are refused before they are stored", async () => {
  await using world = await laptopWorld({ gateway: true });
  const routes = world.client.for(APIRoute);
  const spec = { match: [{ uri: { prefix: "/api/v1" } }], route: toService };
  await routes.create({ metadata: at("first"), spec } as never);
  await until("it is ready", async () => (await readyOf(world, "first")).startsWith("True"));
  await assert.rejects(routes.create({ metadata: at("second"), spec } as never), /shop\/first/u);
  const wrong = { match: [{ uri: { regex: "(" } }], route: toService };
  await assert.rejects(routes.create({ metadata: at("third"), spec: wrong } as never), /spec\.match\[0\]\.uri\.regex/u);
  await routes.delete(at("first"));
  await until("its place is free", async () => {
    await routes.create({ metadata: at("second"), spec } as never);
    return true;
  });
});
