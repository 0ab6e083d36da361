import assert from "node:assert/strict";
import { test } from "node:test";
import type { networking } from "@gatewright/kube/api";
import { ManualClock } from "@gatewright/ports";
import { DEFAULT_INGRESS_CLASS } from "./ingress-source.ts";
import { ingressStatuses } from "./ingress-statuses.ts";

test("an edit of annotations alone is told of when the feed has looked, not before in the words of what was wrong until then", () => {
  const definition = ingressStatuses({
    catalogue: { get: () => undefined },
    gateways: { of: () => [], subscribe: () => () => {} },
    feed: { subscribe: () => () => {}, sources: () => [], report: () => undefined },
    clock: new ManualClock(),
    classes: DEFAULT_INGRESS_CLASS,
    addresses: [],
  });
  const ingress = (generation: number, annotations: Record<string, string>): networking.Ingress => ({
    apiVersion: "networking.k8s.io/v1",
    kind: "Ingress",
    metadata: { namespace: "shop", name: "web", generation, annotations },
  });
  const bad = ingress(1, { "avapigw.io/retries": "-1" });
  assert.equal(definition.when?.(ingress(1, {}), bad), false);
  assert.equal(definition.when?.(ingress(2, {}), bad), true);
});
