import assert from "node:assert/strict";
import { test } from "node:test";
import type { Overview, OverviewRow } from "@gatewright/explain";
import { plainPaint } from "@gatewright/infra/paint";
import { statusText } from "./status-text.ts";

const NOW = Date.parse("2030-01-01T00:10:00Z");
const none = { broken: 0, unknown: 0, waiting: 0, warning: 0, ok: 0 };
const row = (name: string, state: OverviewRow["state"], reason: string, message = ""): OverviewRow => ({
  subject: { apiVersion: "gateway.opendi.com/v1alpha1", kind: "GatewayHostnameRequest", namespace: "shop", name },
  state,
  reason,
  message,
  since: "2030-01-01T00:05:00Z",
  detail: `${name}.example.com`,
});
const group = (rows: readonly OverviewRow[], unread: Overview["groups"][number]["unread"] = []): Overview => {
  const counts = { ...none };
  for (const { state } of rows) counts[state]++;
  return { groups: [{ id: "hostnames", title: "Hostnames", rows, counts, unread }], counts };
};
const text = (all: Overview, wide = false): readonly string[] =>
  statusText(all, { paint: plainPaint, now: NOW, wide }).split("\n");

test("what is wrong is at the top, with the command that tells more", () => {
  assert.deepEqual(
    text(group([row("bad", "broken", "ZoneNotFound", "no zone"), row("good", "ok", "Serving", "served")])),
    [
      "✗ 1 broken, 1 live",
      "",
      "Next  $ gatewright why -n shop gatewayhostnamerequest/bad",
      "",
      "Hostnames  1 broken, 1 live",
      "  ✗ shop/bad   ZoneNotFound  5m  bad.example.com   no zone",
      "  ✓ shop/good  Serving       5m  good.example.com",
      "",
    ],
  );
});

test("a flood of what is not live is cut, and counted", () => {
  const many = Array.from({ length: 900 }, (_, at) => row(`n${at}`, "waiting", "NotObserved"));
  const lines = text(group([...many, row("good", "ok", "Serving")]));
  assert.equal(lines.filter((line) => line.includes("… shop/n")).length, 25);
  assert.ok(lines.includes("  and 875 more that are not live (-o wide shows all)"));
  assert.ok(lines.some((line) => line.includes("shop/good")));
});

test("of what is live a few are shown, and all with wide", () => {
  const many = Array.from({ length: 20 }, (_, at) => row(`n${at}`, "ok", "Serving"));
  assert.equal(text(group(many)).filter((line) => line.includes("✓ shop/")).length, 8);
  assert.ok(text(group(many)).includes("  and 12 more that are live (-o wide shows all)"));
  assert.equal(text(group(many), true).filter((line) => line.includes("✓ shop/")).length, 20);
});

test("what could not be read is told, never left out", () => {
  const lines = text(group([], [{ reason: "Forbidden", attempt: "list apiroutes", message: "no" }]));
  assert.ok(lines.includes("  ? could not list apiroutes: no"));
  assert.equal(lines[0], "? nothing, 1 kind could not be read");
});

test("a server that does not answer is one line, and no check mark", () => {
  const deaf = (attempt: string) => ({ reason: "NoAnswer" as const, attempt, message: "connection refused" });
  assert.deepEqual(text(group([], [deaf("list apiroutes"), deaf("list backends")])), [
    "? The API server does not answer: connection refused",
    "",
  ]);
});

test("nothing at all says what to begin with", () => {
  assert.match(text({ groups: [], counts: none })[0] ?? "", /kubectl apply -f examples/);
});
