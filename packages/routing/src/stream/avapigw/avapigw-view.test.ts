import assert from "node:assert/strict";
import { test } from "node:test";
import { MutableCatalogue } from "../../model/mutable-catalogue.ts";
import { deliverable } from "../../model/testing/deliverables.ts";
import type { Deliverable } from "../../model/deliverable.ts";
import { avapigwView } from "./avapigw-view.ts";

function world() {
  const catalogue = new MutableCatalogue();
  const touched: string[] = [];
  const stopping = new AbortController();
  const view = avapigwView(
    { catalogue, connections: { touch: (keys) => void touched.push(...keys) } },
    stopping.signal,
  );
  const put = (one: Deliverable): void => catalogue.put(one.source, [one]);
  const names = (): string[] => Array.from(view.source.all(), ({ name }) => name).toSorted();
  return { catalogue, view, touched, put, names };
}

const route = deliverable("a", { spec: { route: [{ destination: { host: "orders", port: 80 }, weight: 100 }] } });
const backend = deliverable("orders", { kind: "Backend", spec: { hosts: [] } });

test("a route that names a backend follows the backend's coming and going", () => {
  const { catalogue, view, touched, put } = world();
  const host = (): unknown => JSON.stringify([...view.source.all()].find(({ kind }) => kind === "APIRoute")?.spec);
  put(route);
  assert.match(String(host()), /"host":"orders"/);
  put(backend);
  assert.match(String(host()), /"host":"shop.orders"/);
  assert.deepEqual(touched, ["APIRoute shop/a"]);
  catalogue.remove(backend.source);
  assert.match(String(host()), /"host":"orders"/);
});

test("a GraphQL route is left out while an HTTP route takes its paths", () => {
  const { catalogue, view, put, names } = world();
  const query = deliverable("q", {
    kind: "GraphQLRoute",
    spec: { match: [{ path: { exact: "/api/graphql" } }], route: [{ destination: { host: "q", port: 80 } }] },
  });
  const api = deliverable("api", { spec: { match: [{ uri: { prefix: "/api" } }], redirect: { code: 302 } } });
  const root = deliverable("root", { spec: { match: [{ uri: { prefix: "/" } }], redirect: { code: 302 } } });
  put(query);
  put(root);
  assert.deepEqual(names(), ["q", "root"]);
  put(api);
  assert.deepEqual(names(), ["api", "root"]);
  assert.match(view.known(query)[0]?.message ?? "", /beside APIRoute shop\/api/);
  catalogue.remove(api.source);
  assert.deepEqual(names(), ["q", "root"]);
  assert.deepEqual(view.known(query), []);
});

test("what is given knows where it comes from", () => {
  const { view, put } = world();
  const two = deliverable("two", { spec: { match: [{ methods: ["GET"] }, { methods: ["PUT"] }], redirect: {} } });
  put(two);
  assert.deepEqual(
    Array.from(view.source.all(), (one) => view.originOf(one)),
    [two, two],
  );
});
