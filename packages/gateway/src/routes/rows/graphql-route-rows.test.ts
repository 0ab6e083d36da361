import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, routeNamed } from "../../table/sample-rows.ts";
import { buildTable } from "../../table/routing-table.ts";
import { graphqlRouteRows } from "./graphql-route-rows.ts";

type Spec = Parameters<typeof graphqlRouteRows>[0];

function tableOf(spec: Spec) {
  return buildTable(graphqlRouteRows(spec, routeNamed("r"), { version: "1" }).rows);
}

test("GraphQL is at /graphql unless a route says otherwise, by GET and POST", () => {
  const table = tableOf({});
  assert.ok(table.match(ask("POST h/graphql")));
  assert.ok(table.match(ask("GET h/graphql?query=%7Ba%7D")));
  assert.equal(table.match(ask("DELETE h/graphql")), undefined);
  assert.equal(table.match(ask("POST h/graphql/x")), undefined);
  assert.ok(tableOf({ match: [{ path: { prefix: "/api/graphql" } }] }).match(ask("POST h/api/graphql/x")));
});

test("a route without operations is sure; one with them is once the operation is known", () => {
  assert.equal(tableOf({}).match(ask("POST h/graphql"))?.needsOperation, undefined);
  const table = tableOf({ match: [{ operationType: "mutation", operationName: { regex: "Add.*" } }] });
  const question = ask("POST h/graphql");
  assert.equal(table.match(question)?.needsOperation, true);
  assert.ok(table.match({ ...question, operation: { type: "mutation", name: "AddUser" } }));
  assert.equal(table.match({ ...question, operation: { type: "query", name: "AddUser" } }), undefined);
  assert.equal(table.match({ ...question, operation: { type: "mutation", name: "DropUser" } }), undefined);
});

test("headers have to match, and what is wrong is an error", () => {
  const table = tableOf({ match: [{ headers: [{ name: "X-Client", exact: "web" }] }] });
  assert.ok(table.match(ask("POST h/graphql", "x-client", "web")));
  assert.equal(table.match(ask("POST h/graphql")), undefined);
  const bad: Spec = { match: [{ path: { exact: "graphql" }, operationName: { regex: "(" } }] };
  const { rows, findings } = graphqlRouteRows(bad, routeNamed("r"), { version: "1" });
  assert.deepEqual(rows, []);
  assert.deepEqual(
    findings.map(({ field }) => field),
    ["spec.match[0].path.exact", "spec.match[0].operationName.regex"],
  );
});
