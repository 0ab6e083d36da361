import assert from "node:assert/strict";
import { test } from "node:test";
import type { ApiObject, Immutable } from "@gatewright/kube";
import * as o from "./testing/objects.ts";
import { Timeline } from "./timeline.ts";

const asObject = (written: unknown): Immutable<ApiObject> => written as Immutable<ApiObject>;
const told = (moments: ReturnType<Timeline["note"]>): readonly string[] =>
  moments.map(
    ({ what, state, reason, after }) => `${what} ${state} ${reason}${after === undefined ? "" : ` +${after}`}`,
  );

test("what is there at the beginning is no news; conditions that become others are, with the time since the last", () => {
  const timeline = new Timeline();
  timeline.begin(asObject(o.request({ Ready: { reason: "PendingIssuance" } })));
  const issued = asObject(
    o.request({ CertificateIssued: o.good("Issued"), Ready: { reason: "WaitingForGateway", young: true } }),
  );
  assert.deepEqual(told(timeline.note("MODIFIED", issued, o.NOW)), [
    "CertificateIssued ok Issued",
    "Ready waiting WaitingForGateway",
  ]);
  assert.deepEqual(timeline.note("MODIFIED", issued, o.NOW + 5), []);
  assert.deepEqual(told(timeline.note("MODIFIED", asObject(o.request(o.SERVING)), o.NOW + 2_000)).slice(-1), [
    "Ready ok Serving +2000",
  ]);
});

test("objects come and go; a gateway that goes is trouble", () => {
  const timeline = new Timeline();
  const one = asObject(o.connected());
  assert.deepEqual(told(timeline.note("ADDED", one, o.NOW)), ["Made waiting Created", "Configuration ok InStep"]);
  assert.deepEqual(told(timeline.note("ADDED", one, o.NOW)), [], "seen again after a watch began anew");
  assert.deepEqual(told(timeline.note("DELETED", one, o.NOW + 10)), ["Gone broken Disconnected +10"]);
});

test("conditions of a route are those of its parents", () => {
  const timeline = new Timeline();
  const moments = timeline.note(
    "ADDED",
    asObject(o.httpRoute({ Accepted: { reason: "NotAllowedByListeners" } })),
    o.NOW,
  );
  assert.deepEqual(told(moments), ["Made waiting Created", "Accepted by ? broken NotAllowedByListeners"]);
});

test("a summary that says what another condition says, and an event that repeats one, are no news", () => {
  const timeline = new Timeline();
  timeline.begin(asObject(o.request({})));
  const claiming = { reason: "Claiming", message: "It is being claimed." };
  const moments = timeline.note("MODIFIED", asObject(o.request({ Claimed: claiming, Ready: claiming })), o.NOW);
  assert.deepEqual(told(moments), ["Claimed waiting Claiming"]);
  const event = (reason: string) =>
    ({
      involvedObject: { apiVersion: "v1", kind: "Pod", namespace: "shop", name: "a" },
      type: "Warning",
      reason,
      message: "It is being claimed.",
    }) as unknown as Parameters<Timeline["event"]>[0];
  assert.equal(timeline.event(event("Claiming"), o.NOW + 10), undefined);
  assert.equal(timeline.event(event("Failed"), o.NOW + 10)?.reason, "Failed");
  assert.equal(timeline.event(event("Claiming"), o.NOW + 60_000)?.state, "warning");
});
