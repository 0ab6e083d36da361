import assert from "node:assert/strict";
import { test } from "node:test";
import { graphqlOperation } from "./graphql-operation.ts";

function posted(body: unknown, contentType = "application/json") {
  const bytes = Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
  return graphqlOperation({ method: "POST", query: "", contentType }, bytes);
}

const TWO = "query A { a } mutation B { b }";

test("the only operation of a request is the one, with its name or without", () => {
  assert.deepEqual(posted({ query: "{ a }" }), { type: "query", name: "" });
  assert.deepEqual(posted({ query: "subscription S { a }" }), { type: "subscription", name: "S" });
  assert.deepEqual(posted("mutation { a }", "application/graphql"), { type: "mutation", name: "" });
});

test("of several operations the named one counts", () => {
  assert.deepEqual(posted({ query: TWO, operationName: "B" }), { type: "mutation", name: "B" });
  assert.equal(posted({ query: TWO }), "none");
  assert.equal(posted({ query: TWO, operationName: "C" }), "none");
});

test("requests by GET say it in their query", () => {
  const query = new URLSearchParams({ query: TWO, operationName: "A" }).toString();
  const got = graphqlOperation({ method: "GET", query, contentType: undefined }, Buffer.alloc(0));
  assert.deepEqual(got, { type: "query", name: "A" });
});

test("what cannot be read is none", () => {
  for (const body of ["", "null", "[]", "{", '{"query": 1}', '{"query": "{"}', [{ query: "{ a }" }]])
    assert.equal(posted(body), "none");
  assert.equal(posted({ query: `{ ${"a ".repeat(30_000)} }` }), "none");
});

test("an operation in the query besides that in the body is none that a route is found by", () => {
  const query = new URLSearchParams({ query: "mutation { a }" }).toString();
  const body = Buffer.from(JSON.stringify({ query: "{ a }" }));
  assert.equal(graphqlOperation({ method: "POST", query, contentType: "application/json" }, body), "none");
});

test("what wants to change to WebSocket is a subscription", () => {
  const request = { method: "GET", query: "", contentType: undefined, upgrade: "websocket" };
  assert.deepEqual(graphqlOperation(request, Buffer.alloc(0)), { type: "subscription", name: "" });
});
