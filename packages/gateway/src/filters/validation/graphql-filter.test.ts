import assert from "node:assert/strict";
import { test } from "node:test";
import { madeAround, madeCall, textOf } from "../testing/made-call.ts";
import type { CallParts } from "../testing/made-call.ts";
import { graphqlFilter } from "./graphql-filter.ts";
import type { GraphqlLimitsSpec } from "./graphql-spec.ts";

const JSON_TYPE = { "content-type": "application/json" };
const post = (query: string, more: object = {}): CallParts => ({
  method: "POST",
  fields: JSON_TYPE,
  body: JSON.stringify({ query, ...more }),
});
const readFile = (): string => {
  throw new Error("there are no files");
};

async function asked(spec: GraphqlLimitsSpec, parts: CallParts) {
  const around = madeAround();
  const filter = graphqlFilter(spec, { ...around, readFile });
  const call = madeCall(parts);
  const answer = await filter?.request?.(call);
  return {
    status: answer?.status,
    text: answer === undefined ? await textOf(call.body) : await textOf(answer.body),
    flag: call.trail.flag,
    notes: around.notes,
  };
}

const CASES: readonly [title: string, spec: GraphqlLimitsSpec, call: CallParts, status: number | undefined][] = [
  ["an operation as deep as allowed passes", { depthLimit: 2 }, post("{ a { b } }"), undefined],
  ["a deeper one does not", { depthLimit: 2 }, post("{ a { b { c } } }"), 400],
  [
    "depth hides in no fragment",
    { depthLimit: 2 },
    post("{ ...f } fragment f on Q { a { ... on X { b { c } } } }"),
    400,
  ],
  [
    "fragments add no depth themselves",
    { depthLimit: 2 },
    post("{ ...f } fragment f on Q { a { ... { b } } }"),
    undefined,
  ],
  ["as many fields as allowed pass", { complexityLimit: 3 }, post("{ a b { c } }"), undefined],
  ["more fields do not", { complexityLimit: 3 }, post("{ a b { c d } }"), 400],
  ["aliases count", { complexityLimit: 2 }, post("{ x: a y: a z: a }"), 400],
  [
    "fragments count as often as they are used",
    { complexityLimit: 5 },
    post("{ ...f ...f ...f } fragment f on Q { a b }"),
    400,
  ],
  [
    "fragments that contain one another are refused",
    { depthLimit: 9 },
    post("{ ...f } fragment f on Q { ...g } fragment g on Q { ...f }"),
    400,
  ],
  ["a missing fragment is refused", { depthLimit: 9 }, post("{ ...f }"), 400],
  ["introspection can be off", { introspectionEnabled: false }, post("{ __schema { types { name } } }"), 403],
  [
    "introspection hides in no fragment",
    { introspectionEnabled: false },
    post('{ ...f } fragment f on Q { t: __type(name: "A") { name } }'),
    403,
  ],
  ["names of types are no introspection", { introspectionEnabled: false }, post("{ __typename }"), undefined],
  ["an allowed type passes", { allowedOperations: ["Query"] }, post("query { a }"), undefined],
  ["another type does not", { allowedOperations: ["query"] }, post("mutation { a }"), 403],
  [
    "the named operation counts",
    { allowedOperations: ["query"] },
    post("query A { a } mutation B { b }", { operationName: "B" }),
    403,
  ],
  ["without a name there has to be one only", { depthLimit: 5 }, post("query A { a } query B { b }"), 400],
  ["a batch is refused", { depthLimit: 5 }, { method: "POST", fields: JSON_TYPE, body: '[{"query":"{a}"}]' }, 400],
  ["no operation is refused", { depthLimit: 5 }, { method: "POST", fields: JSON_TYPE, body: '{"extensions":{}}' }, 400],
  ["what is not GraphQL is refused", { depthLimit: 5 }, post("{ a"), 400],
  ["what is not JSON is refused", { depthLimit: 5 }, { method: "POST", fields: JSON_TYPE, body: "{" }, 400],
  [
    "forms are refused",
    { depthLimit: 5 },
    { method: "POST", fields: { "content-type": "text/plain" }, body: "{ a }" },
    415,
  ],
  [
    "a plain document passes",
    { depthLimit: 5 },
    { method: "POST", fields: { "content-type": "application/graphql" }, body: "{ a }" },
    undefined,
  ],
  ["a body that is too large is refused", { depthLimit: 5 }, post("#".repeat(5 * 1024 * 1024)), 413],
  ["too many tokens are refused", { depthLimit: 5 }, post(`{ ${"a ".repeat(20_000)} }`), 400],
  ["nesting beyond the stack is refused", { depthLimit: 5 }, post(`${"{a".repeat(4000)}${"}".repeat(4000)}`), 400],
  ["GET is read too", { depthLimit: 1 }, { target: "/graphql?query=%7Ba%7Bb%7D%7D" }, 400],
  ["HEAD is read too", { depthLimit: 1 }, { method: "HEAD", target: "/graphql?query=%7Ba%7Bb%7D%7D" }, 400],
  ["GET asks only", { depthLimit: 1 }, { target: "/graphql?query=mutation%7Ba%7D" }, 405],
  ["GET passes", { depthLimit: 1 }, { target: "/graphql?query=%7Ba%7D&variables=%7B%7D" }, undefined],
  [
    "an operation is not there twice",
    { depthLimit: 1 },
    { target: "/graphql?query=%7Ba%7D&query=%7Ba%7Bb%7D%7D" },
    400,
  ],
  [
    "a backend cannot find another one in the address",
    { depthLimit: 1 },
    { ...post("{ a }"), target: "/graphql?query=%7Ba%7Bb%7D%7D" },
    400,
  ],
  ["OPTIONS passes", { depthLimit: 1 }, { method: "OPTIONS" }, undefined],
];
for (const [title, spec, call, status] of CASES)
  test(title, async () => {
    assert.equal((await asked(spec, call)).status, status);
  });

test("what was checked is what is sent", async () => {
  const body = '{"query":"{ a { b } }","query":"{ a }"}';
  const { text, status } = await asked({ depthLimit: 1 }, { method: "POST", fields: JSON_TYPE, body });
  assert.deepEqual([status, text], [undefined, '{"query":"{ a }"}']);
});

const schemaInline = "type Query { user(id: Int!): User } type User { name: String }";
const SCHEMA: GraphqlLimitsSpec = { schemaValidation: { enabled: true, schemaInline, validateVariables: true } };

test("operations have to fit the schema", async () => {
  assert.equal((await asked(SCHEMA, post("{ user(id: 1) { name } }"))).status, undefined);
  const wrong = await asked(SCHEMA, post("{ user(id: 1) { nam } }"));
  assert.equal(wrong.status, 400);
  assert.match(wrong.text, /Cannot query field/);
});

test("variables have to fit the schema", async () => {
  const query = "query ($id: Int!) { user(id: $id) { name } }";
  assert.equal((await asked(SCHEMA, post(query, { variables: { id: 1 } }))).status, undefined);
  assert.equal((await asked(SCHEMA, post(query, { variables: { id: "x" } }))).status, 400);
  assert.equal((await asked(SCHEMA, post(query))).status, 400);
});

test("names of a schema that is kept secret are not told", async () => {
  const { text } = await asked({ ...SCHEMA, introspectionEnabled: false }, post("{ user(id: 1) { nam } }"));
  assert.doesNotMatch(text, /name|User/);
});

test("what is wrong can be let through, and shows in the log", async () => {
  const spec = { schemaValidation: { enabled: true, schemaInline, failOnError: false } };
  const { status, flag } = await asked(spec, post("{ nothing }"));
  assert.deepEqual([status, flag], [undefined, "invalid_request"]);
});

for (const schemaValidation of [
  { enabled: true, schemaInline: "type {" },
  { enabled: true, schemaFile: "missing.graphql" },
  { enabled: true, schemaConfigMapRef: { name: "x" } },
])
  test(`${JSON.stringify(schemaValidation)} closes the route`, async () => {
    const { status, notes } = await asked({ schemaValidation }, post("{ a }"));
    assert.deepEqual([status, notes[0]?.severity, notes[0]?.closed], [503, "error", true]);
  });

test("connections that cannot be looked into pass only where subscriptions are allowed", async () => {
  const answerOf = (spec: GraphqlLimitsSpec) => {
    const call = madeCall();
    return graphqlFilter(spec, { ...madeAround(), readFile })?.request?.({
      ...call,
      head: { ...call.head, upgrade: "websocket" },
    });
  };
  assert.equal((await answerOf({ depthLimit: 3 }))?.status, 403);
  assert.equal(await answerOf({ allowedOperations: ["subscription"] }), undefined);
});

test("without limits there is no filter", () => {
  assert.equal(graphqlFilter({ depthLimit: 0, introspectionEnabled: true }, { ...madeAround(), readFile }), undefined);
});
