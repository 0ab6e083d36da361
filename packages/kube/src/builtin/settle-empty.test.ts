import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../json/json.ts";
import { builtinType } from "./builtin-type.ts";
import { settleEmpty } from "./settle-empty.ts";

function settled(group: string, kind: string, object: JsonObject): JsonObject {
  settleEmpty(object, builtinType(group, "v1", kind)!);
  return object;
}

test("an empty list of a field that is always written becomes null, wherever it stands", () => {
  const rules = "rbac.authorization.k8s.io";
  assert.deepEqual(settled(rules, "Role", { rules: [] }), { rules: null });
  assert.deepEqual(settled(rules, "Role", { rules: [{ verbs: [] }] }), { rules: [{ verbs: null }] });
  const pod = { spec: { containers: [], volumes: [{ name: "a", projected: { sources: [] } }] } };
  assert.deepEqual(settled("", "Pod", pod), {
    spec: { containers: null, volumes: [{ name: "a", projected: { sources: null } }] },
  });
});

test("what is stored as JSON, and empty structs, stay as they are", () => {
  const definition = { spec: { versions: [] }, status: { conditions: [], storedVersions: [] } };
  const before = structuredClone(definition);
  assert.deepEqual(settled("apiextensions.k8s.io", "CustomResourceDefinition", definition), before);
  const policy = { spec: { podSelector: {}, ingress: [{}] } };
  assert.deepEqual(settled("networking.k8s.io", "NetworkPolicy", policy), structuredClone(policy));
});
