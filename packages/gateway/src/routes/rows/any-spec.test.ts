import { test } from "node:test";
import * as fc from "fast-check";
import { ask, routeNamed } from "../../table/sample-rows.ts";
import { buildTable } from "../../table/routing-table.ts";
import { apiRouteRows } from "./api-route-rows.ts";
import { graphqlRouteRows } from "./graphql-route-rows.ts";
import { grpcRouteRows } from "./grpc-route-rows.ts";

const bits = fc.constantFrom(
  "/",
  "a",
  "{",
  "}",
  "{n}",
  "*",
  "**",
  "?",
  "(",
  ")",
  "[",
  "]",
  "\\",
  "\\Q",
  "|",
  "+",
  ":",
  "^",
  "$",
);
const text = fc.oneof(
  fc.array(bits, { maxLength: 6 }).map((pieces) => pieces.join("")),
  fc.string(),
  fc.string().map((rest) => `/${rest}`),
);
const stringMatch = fc
  .tuple(fc.constantFrom("exact", "prefix", "regex"), text)
  .map(([type, value]): Record<string, string> => ({ [type]: value }));
const fields = fc.array(
  fc.tuple(fc.constantFrom("host", "X-a", ":authority"), stringMatch).map(([name, match]) => ({ name, ...match })),
  { maxLength: 2 },
);
const hosts = fc.constantFrom<string[]>([], ["a.test"], ["*.test", "b.test"]);

/** Whatever rows come of a spec, they make a table that can be asked. */
function holds({ rows }: ReturnType<typeof apiRouteRows>): void {
  const table = buildTable(rows);
  for (const asked of ["GET a.test/a/a", "GET a.test/", "OPTIONS a.test"])
    table.match(ask(asked, "content-type", "application/grpc", "x-a", "a"));
}

const route = routeNamed("r");
const SUBJECT = { version: "1" };

test("whatever an APIRoute says, its rows make a table or there are none", () => {
  fc.assert(
    fc.property(hosts, stringMatch, fields, (names, uri, headers) => {
      const match = [{ uri, headers, queryParams: headers }];
      holds(apiRouteRows({ match, hosts: names }, route, SUBJECT));
    }),
    { numRuns: 500 },
  );
});

test("whatever a GRPCRoute says, its rows make a table or there are none", () => {
  fc.assert(
    fc.property(stringMatch, stringMatch, stringMatch, fields, (service, method, authority, metadata) => {
      holds(grpcRouteRows({ match: [{ service, method, authority, metadata }] }, route, SUBJECT));
    }),
    { numRuns: 500 },
  );
});

test("whatever a GraphQLRoute says, its rows make a table or there are none", () => {
  fc.assert(
    fc.property(stringMatch, stringMatch, fields, (path, operationName, headers) => {
      holds(graphqlRouteRows({ match: [{ path, operationName, headers }] }, route, SUBJECT));
    }),
    { numRuns: 300 },
  );
});
