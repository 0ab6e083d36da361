import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "@gatewright/kube";
import { asCoreEvent, asEventsEvent } from "./event.ts";
import { servedFor } from "./recorded/replay.ts";

const core: KubeObject = {
  kind: "Event",
  apiVersion: "v1",
  metadata: { name: "e", namespace: "kinds" },
  involvedObject: { kind: "Pod", namespace: "kinds", name: "p" },
  reason: "R",
  message: "m",
  source: { component: "c", host: "h" },
  firstTimestamp: "2020-01-01T00:00:00Z",
  lastTimestamp: null,
  count: 3,
  type: "Normal",
  eventTime: null,
  reportingComponent: "",
  reportingInstance: "",
};

// As a kube-apiserver 1.36.4 served the same Event.
const renamed: KubeObject = {
  kind: "Event",
  apiVersion: "events.k8s.io/v1",
  metadata: { name: "e", namespace: "kinds" },
  eventTime: null,
  reason: "R",
  regarding: { kind: "Pod", namespace: "kinds", name: "p" },
  note: "m",
  type: "Normal",
  deprecatedSource: { component: "c", host: "h" },
  deprecatedFirstTimestamp: "2020-01-01T00:00:00Z",
  deprecatedLastTimestamp: null,
  deprecatedCount: 3,
};

test("an Event reads the same through both groups, whichever it was written through", () => {
  assert.deepEqual(asEventsEvent(core), renamed);
  assert.deepEqual(asCoreEvent(renamed), core);
  assert.equal(asCoreEvent(core), core);
});

test("both groups share a table and select by the fields of their own names", () => {
  const [ofCore, ofEvents] = [servedFor(core).resource, servedFor(renamed).resource];
  assert.equal(ofCore.table, ofEvents.table);
  assert.equal(ofCore.strategy.fieldLabels["involvedObject.name"]?.(renamed), "p");
  assert.equal(ofEvents.strategy.fieldLabels["regarding.name"]?.(core), "p");
  assert.equal(ofEvents.strategy.fieldLabels["involvedObject.name"], undefined);
});
