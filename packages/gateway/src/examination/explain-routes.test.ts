import assert from "node:assert/strict";
import { test } from "node:test";
import { explainRoutes } from "./explain-routes.ts";

const route = (name: string, spec: object) => ({
  kind: "APIRoute" as const,
  namespace: "shop",
  name,
  version: "1",
  spec,
});
const to = (host: string) => [{ destination: { host, port: 80 } }];

test("says which of the given routes takes a request, and why the others do not", () => {
  const routes = [
    route("orders", { match: [{ uri: { prefix: "/orders" }, methods: ["GET"] }], route: to("orders") }),
    route("all", { match: [{ uri: { prefix: "/" } }], route: to("web") }),
  ];
  const asked = new URLSearchParams({ host: "shop.example.com", path: "/orders/1", method: "GET" });
  const told = explainRoutes(routes, asked);
  assert.ok(typeof told !== "string");
  assert.equal(told.explanation.winner?.route, "APIRoute shop/orders");
  assert.deepEqual(
    told.explanation.others.map(({ route, verdict }) => [route, verdict]),
    [["APIRoute shop/all", "ranks lower"]],
  );
  asked.set("method", "POST");
  const other = explainRoutes(routes, asked);
  assert.ok(typeof other !== "string");
  assert.equal(other.explanation.winner?.route, "APIRoute shop/all");
});

test("a route that no gateway would take is named, and takes nothing", () => {
  const told = explainRoutes(
    [route("bad", { match: [{ uri: { regex: "(" } }], route: to("web") })],
    new URLSearchParams(),
  );
  assert.ok(typeof told !== "string");
  assert.equal(told.explanation.winner, undefined);
  assert.deepEqual(
    told.findings.map(({ name }) => name),
    ["bad"],
  );
});

test("a question that makes no sense is answered with what is wrong with it", () => {
  assert.equal(explainRoutes([], new URLSearchParams({ header: "nothing" })), "header is written name: value");
});
