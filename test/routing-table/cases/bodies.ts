import { apiRoute, exact, graphqlRoute, prefix, request, step, to } from "../manifests.ts";
import type { RoutingCase } from "../routing-case.ts";

const JSON_TYPE = { "content-type": "application/json" };

const PETS = JSON.stringify({
  openapi: "3.0.3",
  info: { title: "pets", version: "1" },
  paths: {
    "/pets": {
      post: {
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: { type: "object", required: ["name"], properties: { name: { type: "string" } } },
            },
          },
        },
        responses: { 200: { description: "made" } },
      },
    },
  },
});

const graphql = (query: string, operationName?: string) =>
  request("POST /graphql", {
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query, operationName }),
  });

/** GraphQL, caches, compression, transforms and aggregates: what looks into bodies. */
export const BODIES: readonly RoutingCase[] = [
  {
    name: "a route of GraphQL is at /graphql unless it says otherwise",
    objects: [
      graphqlRoute("default", to("echo-a")),
      graphqlRoute("other", { match: [{ path: { exact: "/api/graphql" } }], ...to("echo-b") }),
    ],
    steps: [
      step(graphql("{ a }"), "echo-a"),
      step("GET /graphql?query=%7Ba%7D", "echo-a"),
      step(
        request("POST /api/graphql", { body: '{"query":"{ a }"}', headers: { "content-type": "application/json" } }),
        "echo-b",
      ),
      step("POST /", { status: 404 }),
    ],
  },
  {
    name: "operations of GraphQL are told apart by their type",
    objects: [
      graphqlRoute("reads", { match: [{ operationType: "query" }], ...to("echo-a") }),
      graphqlRoute("writes", { match: [{ operationType: "mutation" }], ...to("echo-b") }),
    ],
    steps: [
      step(graphql("{ a }"), "echo-a"),
      step(graphql("query Q { a }"), "echo-a"),
      step(graphql("mutation M { a }"), "echo-b"),
    ],
  },
  {
    name: "operations of GraphQL are told apart by their name",
    objects: [
      graphqlRoute("orders", { match: [{ operationName: { prefix: "Order" } }], ...to("echo-a") }),
      graphqlRoute("rest", to("echo-b")),
    ],
    steps: [
      step(graphql("query Orders { a }"), "echo-a"),
      step(graphql("query Users { a }"), "echo-b"),
      step(graphql("query A { a } query OrderOne { a }", "OrderOne"), "echo-a"),
    ],
  },
  {
    name: "the body of a request whose operation was read reaches the backend whole",
    objects: [graphqlRoute("reads", { match: [{ operationType: "query" }], ...to("echo-a") })],
    steps: [step(graphql("{ a }"), { status: 200, seen: { body: '{"query":"{ a }"}' } })],
  },
  {
    name: "queries that go too deep are refused",
    objects: [graphqlRoute("g", { ...to("echo-a"), depthLimit: 2 })],
    steps: [
      step(graphql("{ a { b } }"), "echo-a"),
      step(graphql("{ a { b { c } } }"), { status: [400, 403, 200], body: /depth|deep/i }),
    ],
    asked: { "echo-a": 1 },
  },
  {
    name: "operations that are not allowed are refused",
    objects: [graphqlRoute("g", { ...to("echo-a"), allowedOperations: ["query"] })],
    steps: [step(graphql("{ a }"), "echo-a"), step(graphql("mutation { a }"), { body: /^(?!.*echo-a)/s })],
    asked: { "echo-a": 1 },
  },
  {
    name: "queries that ask for too much are refused",
    objects: [graphqlRoute("g", { ...to("echo-a"), complexityLimit: 3 })],
    steps: [
      step(graphql("{ a b }"), "echo-a"),
      step(graphql("{ a b c d e }"), { body: /complex|fields|too (much|many)/i }),
    ],
    asked: { "echo-a": 1 },
  },
  {
    name: "clients may not ask for the schema where that is not allowed",
    objects: [graphqlRoute("g", { ...to("echo-a"), introspectionEnabled: false })],
    steps: [
      step(graphql("{ a __typename }"), "echo-a"),
      step(graphql("{ __schema { types { name } } }"), { body: /introspection|schema/i }),
    ],
    asked: { "echo-a": 1 },
  },
  {
    name: "requests whose body is not as the API describes are refused",
    objects: [
      apiRoute("v", {
        ...to("echo-a"),
        openAPIValidation: { enabled: true, failOnError: true, validateRequestBody: true, specInline: PETS },
      }),
    ],
    steps: [
      step(request("POST /pets", { headers: JSON_TYPE, body: '{"name":"rex"}' }), "echo-a"),
      step(request("POST /pets", { headers: JSON_TYPE, body: '{"name":7}' }), { status: [400, 422] }),
    ],
    asked: { "echo-a": 1 },
  },
  {
    name: "what is kept can be told apart by headers",
    objects: [
      apiRoute("c", {
        ...to("echo-a"),
        cache: { enabled: true, ttl: "1h", keyConfig: { includeHeaders: ["X-Tenant"] } },
      }),
    ],
    steps: [
      step(request("GET /x", { headers: { "x-tenant": "1" } }), { seen: { headers: { "x-tenant": "1" } } }),
      step(request("GET /x", { headers: { "x-tenant": "2" } }), { seen: { headers: { "x-tenant": "2" } } }),
      step(request("GET /x", { headers: { "x-tenant": "1" } }), { seen: { headers: { "x-tenant": "1" } } }),
    ],
    asked: { "echo-a": 2 },
  },
  {
    name: "what is kept differs by query",
    objects: [apiRoute("c", { ...to("echo-a"), cache: { enabled: true, ttl: "1h" } })],
    steps: [
      step("GET /x?a=1", { status: 200, seen: { target: "/x?a=1" } }),
      step("GET /x?a=2", { status: 200, seen: { target: "/x?a=2" } }),
    ],
    asked: { "echo-a": 2 },
  },
  {
    name: "answers to callers who say who they are, are not kept for others",
    objects: [apiRoute("c", { ...to("echo-a"), cache: { enabled: true, ttl: "1h" } })],
    steps: [
      step(request("GET /x", { headers: { authorization: "Bearer one" } }), {
        seen: { headers: { authorization: "Bearer one" } },
      }),
      step(request("GET /x", { headers: { authorization: "Bearer two" } }), {
        seen: { headers: { authorization: "Bearer two" } },
      }),
      step("GET /x", { seen: { headers: { authorization: null } } }),
    ],
  },
  {
    name: "small answers are not compressed",
    objects: [apiRoute("z", { ...to("prices"), compression: { enabled: true } })],
    steps: [
      step(request("GET /", { headers: { "accept-encoding": "gzip" } }), {
        status: 200,
        headers: { "content-encoding": null },
        json: { prices: { eur: 1 }, total: 7 },
      }),
    ],
  },
  {
    name: "an answer that is kept is given again without asking the backend",
    objects: [apiRoute("c", { ...to("echo-a"), cache: { enabled: true, ttl: "1h" } })],
    steps: [step("GET /x", "echo-a"), step("GET /x", "echo-a"), step("GET /y", "echo-a"), step("POST /x", "echo-a")],
    asked: { "echo-a": 3 },
  },
  {
    name: "errors are not kept",
    objects: [apiRoute("c", { ...to("failing-once"), cache: { enabled: true, ttl: "1h" } })],
    steps: [step("GET /x", { status: 503 }), step("GET /x", { status: 200 })],
    asked: { "failing-once": 2 },
  },
  {
    name: "answers are compressed for clients that take it",
    objects: [apiRoute("z", { ...to("page"), compression: { enabled: true, algorithms: ["gzip"] } })],
    steps: [
      step(request("GET /", { headers: { "accept-encoding": "gzip" } }), {
        status: 200,
        headers: { "content-encoding": "gzip", vary: /accept-encoding/i },
      }),
      step("GET /", { status: 200, headers: { "content-encoding": null }, body: /^all work/ }),
    ],
  },
  {
    name: "fields of answers are left out and renamed",
    objects: [
      apiRoute("t", {
        ...to("prices"),
        transform: { response: { denyFields: ["total"], fieldMappings: { prices: "cost" } } },
      }),
    ],
    steps: [step("GET /", { status: 200, json: { cost: { eur: 1 } } })],
  },
  {
    name: "lists in answers are sorted and cut",
    objects: [
      apiRoute("t", {
        ...to("users"),
        transform: {
          response: {
            allowFields: ["users"],
            arrayOperations: [
              { field: "users", operation: "sort", value: "id" },
              { field: "users", operation: "limit", value: 1 },
            ],
          },
        },
      }),
    ],
    steps: [step("GET /", { status: 200, json: { users: [{ id: 1, name: "al", password: "x" }] } })],
  },
  {
    name: "fields of requests are set and removed",
    objects: [
      apiRoute("t", {
        ...to("echo-a"),
        transform: { request: { injectFields: [{ field: "by", value: "gateway" }], removeFields: ["secret"] } },
      }),
    ],
    steps: [
      step(request("POST /", { headers: { "content-type": "application/json" }, body: '{"a":1,"secret":2}' }), {
        status: 200,
        seen: { body: '{"a":1,"by":"gateway"}' },
      }),
    ],
  },
  {
    name: "the answers of many become one",
    objects: [
      apiRoute("a", {
        ...exact("/all"),
        aggregate: {
          enabled: true,
          targets: [
            { name: "one", destination: { host: "prices", port: 8080 } },
            { name: "two", destination: { host: "users", port: 8080 } },
          ],
          merge: { enabled: true, strategy: "shallow" },
        },
      }),
    ],
    steps: [step("GET /all", { status: 200, body: /"prices".*"users"|"users".*"prices"/s })],
    asked: { prices: 1, users: 1 },
  },
  {
    name: "one of many that fails fails them all, unless any is enough",
    objects: [
      apiRoute("all", {
        ...prefix("/all"),
        aggregate: {
          enabled: true,
          failMode: "all",
          targets: [
            { name: "one", destination: { host: "prices", port: 8080 } },
            { name: "two", destination: { host: "refusing", port: 8080 } },
          ],
        },
      }),
      apiRoute("any", {
        ...prefix("/any"),
        aggregate: {
          enabled: true,
          failMode: "any",
          targets: [
            { name: "one", destination: { host: "prices", port: 8080 } },
            { name: "two", destination: { host: "refusing", port: 8080 } },
          ],
        },
      }),
    ],
    steps: [step("GET /all", { status: [502, 503] }), step("GET /any", { status: 200 })],
  },
];
