import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { GATEWAY_METRICS } from "@gatewright/gateway";
import { HOSTNAME_METRICS, REASONS as HOSTNAME_REASONS } from "@gatewright/hostnames";
import { INFRA_METRICS, REASONS as INFRA_REASONS } from "@gatewright/infra";
import { ROUTING_METRICS } from "@gatewright/routing";
import {
  CERTIFICATE_METRICS,
  LEASE_METRICS,
  QUEUE_METRICS,
  RECONCILE_METRICS,
  REQUEST_METRICS,
  WEBHOOK_METRICS,
} from "@gatewright/runtime";
import { anchorsOf } from "../../scripts/links/anchors.ts";
import { dashboards, ruleGroups } from "../../scripts/observability/parts.ts";

const root = new URL("../../", import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, root), "utf8");
const rules = ruleGroups.map(({ rules: each }) => JSON.stringify(each)).join("\n");
const text = `${rules}${JSON.stringify(dashboards)}`.replaceAll('\\"', '"');
const METRIC = /\b(?:avapigw|gatewright|controller_runtime|workqueue|leader_election|rest_client)_[a-z0-9_]+\b/g;
/** Told by every process, and by caches: they have no definition of their own. */
const OTHERS: readonly (readonly [string, readonly string[]])[] = [
  ["gatewright_informer_objects", ["resource", "scope"]],
  ["gatewright_informer_silent_seconds", ["resource", "scope"]],
];

test("alerts and dashboards name metrics that there are, with labels that they have", () => {
  const definitions = [
    CERTIFICATE_METRICS,
    GATEWAY_METRICS,
    HOSTNAME_METRICS,
    INFRA_METRICS,
    LEASE_METRICS,
    QUEUE_METRICS,
    RECONCILE_METRICS,
    REQUEST_METRICS,
    ROUTING_METRICS,
    WEBHOOK_METRICS,
  ].flatMap((each) => Object.values(each));
  const labels = new Map<string, readonly string[]>([
    ...definitions.map((each): [string, readonly string[]] => [each.name, "labels" in each ? each.labels : []]),
    ...OTHERS,
  ]);
  const named = new Set(Array.from(text.matchAll(METRIC), ([name]) => name.replace(/_bucket$/, "")));
  assert.ok(named.size > 40, String(named.size));
  assert.deepEqual(
    [...named].filter((name) => !labels.has(name)),
    [],
  );
  for (const [, name = "", matchers = ""] of text.matchAll(/\b([a-z0-9_]+)\{([^{}]*)\}/g)) {
    for (const [, label = ""] of matchers.matchAll(/(\w+)[=!]~?"/g)) assert.ok(labels.get(name)?.includes(label), name);
  }
});

test("states that alerts name are reasons of their part", () => {
  for (const { part, reasons } of [
    { part: "hostnames", reasons: HOSTNAME_REASONS },
    { part: "infra", reasons: INFRA_REASONS },
  ]) {
    const own = JSON.stringify(ruleGroups.find((each) => each.part === part)).replaceAll('\\"', '"');
    const states = Array.from(own.matchAll(/state=~"([^"]+)/g), ([, all = ""]) => all.split("|")).flat();
    assert.ok(states.length > 10);
    const known = new Set<string>(Object.values(reasons).map(({ reason }) => reason));
    assert.deepEqual(
      states.filter((state) => !known.has(state)),
      [],
    );
  }
});

test("each alert has one name, and a section of the guide that says what to do", () => {
  const alerts = ruleGroups.flatMap((group) => group.alerts);
  assert.equal(new Set(alerts.map(({ alert }) => alert)).size, alerts.length);
  for (const { alert, runbook } of alerts) {
    const [file = "", anchor = ""] = runbook.split("#");
    assert.ok(anchorsOf(read(file)).has(anchor), `${alert}: ${runbook}`);
  }
});

test("what charts carry is what config/ has", () => {
  const config = globSync("config/observability/{rules,dashboards}/*", { cwd: root.pathname }).sort();
  assert.equal(config.length, 10);
  for (const file of config) {
    const [folder = "", name = ""] = file.split("/").slice(-2);
    const chart = name.startsWith("gateway.") ? "gatewright-gateway" : "gatewright";
    const body = (path: string): string => read(path).replaceAll(/^#.*\n/gm, "");
    assert.equal(body(`charts/${chart}/files/${folder}/${name}`), body(file));
  }
});

test("a reason is called as it is written", () => {
  for (const [name, { reason, on, means }] of Object.entries(HOSTNAME_REASONS)) {
    assert.equal(name, reason);
    assert.ok(on.length > 0 && means.endsWith("."), name);
  }
});
