import assert from "node:assert/strict";
import { test } from "node:test";
import type { ApiObject, Immutable } from "@gatewright/kube";
import type { HTTPRoute } from "@gatewright/resources";
import { httpRouteView } from "../cluster/route-view.ts";
import { edge, service } from "../testing/sample-model.ts";
import { listener, object, objectView, parent, rule } from "../testing/object-view.ts";
import { routeParents } from "./route-status.ts";

const CLASS = object("GatewayClass", "alb", { controllerName: "gateway.k8s.aws/alb" });
const NOW = Date.UTC(2030, 0, 1);

type Parents = ReturnType<typeof routeParents>;

function parentsOf(spec: object, objects: readonly ApiObject[] = [], before: Parents = []): Parents {
  const listeners = [listener("http", 80, { hostname: "*.test" })];
  const route = object("HTTPRoute", "web", { parentRefs: [parent()], rules: [rule([{ name: "web" }])], ...spec });
  const view = objectView([CLASS, edge({ listeners }), service("web"), route, ...objects]);
  const seen = httpRouteView(route as unknown as Immutable<HTTPRoute>);
  return routeParents(view, seen, before, { generation: 3, now: NOW });
}

const reasons = (parents: Parents): readonly string[] =>
  parents.flatMap(({ conditions }) => conditions.map(({ type, status, reason }) => `${type}=${status} ${reason}`));

test("a route is told whether listeners take it, and whether what it refers to is there", () => {
  const fine = "ResolvedRefs=True ResolvedRefs";
  const cases: readonly (readonly [object, string, string])[] = [
    [{}, "Accepted=True Accepted", fine],
    [{ hostnames: ["a.test"] }, "Accepted=True Accepted", fine],
    [{ hostnames: ["a.example"] }, "Accepted=False NoMatchingListenerHostname", fine],
    [{ parentRefs: [parent({ sectionName: "https" })] }, "Accepted=False NoMatchingParent", fine],
    [{ parentRefs: [parent({ port: 81 })] }, "Accepted=False NoMatchingParent", fine],
    [{ rules: [rule([], [{}], [{ type: "CORS", cors: {} }])] }, "Accepted=False UnsupportedValue", fine],
    [{ rules: [rule([{ name: "gone" }])] }, "Accepted=True Accepted", "ResolvedRefs=False BackendNotFound"],
    [
      { rules: [rule([{ name: "x", namespace: "y" }])] },
      "Accepted=True Accepted",
      "ResolvedRefs=False RefNotPermitted",
    ],
    [{ rules: [rule([{ name: "x", kind: "Bucket" }])] }, "Accepted=True Accepted", "ResolvedRefs=False InvalidKind"],
  ];
  for (const [spec, accepted, resolved] of cases) {
    assert.deepEqual(reasons(parentsOf(spec)), [accepted, resolved], JSON.stringify(spec));
  }
});

test("parents of others are not spoken of, and what others said stays", () => {
  const foreign: Parents = [
    { parentRef: { group: "g", kind: "Mesh", name: "m" }, controllerName: "other.dev/mesh", conditions: [] },
  ];
  assert.deepEqual(parentsOf({ parentRefs: [parent({ name: "gone" })] }, [], foreign), foreign);
  const parents = parentsOf({}, [], foreign);
  assert.deepEqual(
    parents.map(({ controllerName }) => controllerName),
    ["other.dev/mesh", "gateway.k8s.aws/alb"],
  );
  assert.deepEqual(parentsOf({}, [], parents), parents);
});
