import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { HOSTNAME_METRICS, REASONS } from "@gatewright/hostnames";
import { LEASE_METRICS, QUEUE_METRICS, RECONCILE_METRICS } from "@gatewright/runtime";

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
const rules = read("config/observability/prometheus-rules.yaml");
const METRIC = /\b(?:gatewright|controller_runtime|workqueue|leader_election|rest_client)_[a-z_]+\b/g;

test("alerts and dashboard name metrics that there are, with labels that they have", () => {
  const definitions = [HOSTNAME_METRICS, LEASE_METRICS, QUEUE_METRICS, RECONCILE_METRICS].flatMap((each) =>
    Object.values(each),
  );
  const labels = new Map<string, readonly string[]>(
    definitions.map((each) => [each.name, "labels" in each ? each.labels : []]),
  );
  const text = `${rules}${read("config/observability/dashboard.json").replaceAll('\\"', '"')}`;
  const named = new Set(Array.from(text.matchAll(METRIC), ([name]) => name.replace(/_bucket$/, "")));
  assert.ok(named.size > 10);
  assert.deepEqual(
    [...named].filter((name) => !labels.has(name)),
    [],
  );
  for (const [, name = "", matchers = ""] of text.matchAll(/\b([a-z_]+)\{([^{}]*)\}/g)) {
    for (const [, label = ""] of matchers.matchAll(/(\w+)[=!]~?"/g)) assert.ok(labels.get(name)?.includes(label), name);
  }
});

test("states that alerts name are reasons, and their runbooks are sections of the guide", () => {
  const states = Array.from(rules.matchAll(/state=~\\?"([^"\\]+)/g), ([, all = ""]) => all.split("|")).flat();
  assert.ok(states.length > 10);
  const reasons = new Set<string>(Object.values(REASONS).map(({ reason }) => reason));
  assert.deepEqual(
    states.filter((state) => !reasons.has(state)),
    [],
  );
  const anchors = Array.from(read("docs/hostnames.md").matchAll(/^#+ (.*)$/gm), ([, title = ""]) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w -]/g, "")
      .replaceAll(" ", "-"),
  );
  const runbooks = Array.from(rules.matchAll(/runbook: docs\/hostnames\.md#(\S+)/g), ([, anchor = ""]) => anchor);
  assert.ok(runbooks.length > 5);
  assert.deepEqual(
    runbooks.filter((anchor) => !anchors.includes(anchor)),
    [],
  );
});

test("a reason is called as it is written", () => {
  for (const [name, { reason, on, means }] of Object.entries(REASONS)) {
    assert.equal(name, reason);
    assert.ok(on.length > 0 && means.endsWith("."), name);
  }
});
