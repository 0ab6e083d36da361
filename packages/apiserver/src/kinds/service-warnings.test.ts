import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@gatewright/kube";
import { writeContext } from "./recorded/replay.ts";
import { warnOfService } from "./service-warnings.ts";

function warningsOf(spec: JsonObject, annotations: Record<string, string> = {}): string[] {
  const warnings: string[] = [];
  const metadata = { name: "s", annotations };
  const service = { apiVersion: "v1", kind: "Service", metadata, spec: { sessionAffinity: "None", ...spec } };
  warnOfService(service, undefined, writeContext("v1", warnings));
  return warnings;
}

test("headless Services are told what is ignored", () => {
  const asked = { sessionAffinity: "ClientIP", loadBalancerIP: "1.2.3.4", externalIPs: ["1.2.3.4"] };
  assert.deepEqual(warningsOf({ type: "ClusterIP", clusterIP: "None", ...asked }), [
    "spec.loadBalancerIP is ignored for headless services",
    "spec.externalIPs is ignored for headless services",
    "spec.SessionAffinity is ignored for headless services",
  ]);
  assert.deepEqual(warningsOf({ type: "ClusterIP", clusterIP: "10.0.0.1", sessionAffinity: "ClientIP" }), []);
});

test("fields that do not fit the type, and old ones, are told", () => {
  const old = { "service.kubernetes.io/topology-aware-hints": "auto" };
  const spec = { type: "ClusterIP", externalName: "x", externalIPs: ["1.2.3.4"], trafficDistribution: "PreferClose" };
  assert.deepEqual(warningsOf(spec, old), [
    "annotation service.kubernetes.io/topology-aware-hints is deprecated, please use service.kubernetes.io/topology-mode instead",
    "spec.externalIPs is deprecated and may no longer be implemented in some clusters",
    'spec.externalName is ignored when spec.type is not "ExternalName"',
    'spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"',
  ]);
  assert.deepEqual(warningsOf({ type: "ExternalName", externalName: "x", externalIPs: ["1.2.3.4"] }), [
    'spec.externalIPs is ignored when spec.type is "ExternalName"',
  ]);
});
