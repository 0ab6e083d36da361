import assert from "node:assert/strict";
import { test } from "node:test";
import { createApiServer } from "@gatewright/apiserver";
import { core } from "@gatewright/kube/api";
import { createClient } from "../client/create-client.ts";
import { createManager } from "../manager/create-manager.ts";
import { eventually } from "../manager/testing/eventually.ts";
import { child, compose } from "./compose.ts";

/** One ConfigMap for each port of a Service, and a condition that counts them. */
const ports = compose<core.Service>({
  name: "ports",
  for: core.Service,
  scope: { labelSelector: "ports" },
  children: [core.ConfigMap],
  compose(service, observed) {
    const wanted = service.spec?.ports ?? [];
    const ready = observed(core.ConfigMap).length === wanted.length;
    return {
      children: wanted.map(({ port }) =>
        child(core.ConfigMap, {
          metadata: { name: `${service.metadata.name}-${port}` },
          data: { port: String(port) },
        }),
      ),
      status: {
        loadBalancer: {},
        conditions: [
          {
            type: "Composed",
            status: ready ? "True" : "False",
            reason: "Counted",
            message: `${observed(core.ConfigMap).length} there`,
            lastTransitionTime: "2030-01-01T00:00:00Z",
          },
        ],
      },
    };
  },
});

test("children and status become what a pure function says, and children that it does not want are deleted", async () => {
  const server = await createApiServer();
  const user = createClient(server.transport(), { userAgent: "user" });
  let writes = 0;
  const inner = server.transport();
  const manager = createManager({
    name: "test",
    transport: (request) => {
      if (request.method !== "GET") writes++;
      return inner(request);
    },
  });
  manager.add(ports);
  const stop = new AbortController();
  const running = manager.run(stop.signal);
  const ref = { namespace: "default", name: "s" };
  const services = user.for(core.Service);
  const names = async (): Promise<string> => {
    const { items } = await user.for(core.ConfigMap).list({ namespace: "default" });
    return items
      .map(({ metadata }) => metadata.name ?? "")
      .filter((name) => name.startsWith("s-"))
      .join();
  };
  const composed = async (): Promise<string | undefined> =>
    (await services.get(ref)).status?.conditions?.find(({ type }) => type === "Composed")?.message;

  await services.create({
    metadata: { ...ref, labels: { ports: "" } },
    spec: { ports: [80, 81, 82].map((port) => ({ name: `p${port}`, port })) },
  });
  await eventually("all children are there and counted", async () => (await composed()) === "3 there");
  assert.equal(await names(), "s-80,s-81,s-82");
  await services.patch(ref, { json: [{ op: "remove", path: "/spec/ports/1" }] });
  await eventually("one child is gone", async () => (await composed()) === "2 there");
  assert.equal(await names(), "s-80,s-82");
  await user.for(core.ConfigMap).patch({ namespace: "default", name: "s-80" }, { merge: { data: { port: "9" } } });
  await eventually("a changed child is put right", async () => {
    return (await user.for(core.ConfigMap).get({ namespace: "default", name: "s-80" })).data?.["port"] === "80";
  });
  const settled = writes;
  await services.patch(ref, { merge: { metadata: { annotations: { unrelated: "yes" } } } });
  await eventually(
    "it has been looked at",
    () =>
      manager.cache.informer(core.Service, { labelSelector: "ports" }).get(ref)?.metadata.annotations?.["unrelated"] ===
      "yes",
  );
  await server.idle();
  assert.equal(writes, settled, "what is right already is not written again");
  await services.delete(ref);
  await eventually("children go with their parent", async () => (await names()) === "");
  stop.abort();
  await running;
  await server.close();
});
