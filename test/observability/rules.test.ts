import assert from "node:assert/strict";
import { globSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { ruleGroups } from "../../scripts/observability/parts.ts";
import { run } from "../tools/command.ts";
import { prometheusMissing } from "../tools/prometheus.ts";
import { suite } from "../tools/suite.ts";
import { FIRING, HEALTHY } from "./alert-series.ts";
import type { Series } from "./alert-series.ts";

const root = join(import.meta.dirname, "..", "..");
const files = globSync(join(root, "config/observability/rules/*.yaml"));
const alerts = ruleGroups.flatMap((group) => group.alerts.map(({ alert }) => alert));

/** When all that can fire has: the longest wait, and the longest look back, are over. */
const LATE = "80m";

interface FiringSample {
  readonly labels: string;
  readonly value: number;
}

suite("alerts, judged by promtool", prometheusMissing(), () => {
  const folder = mkdtempSync(join(tmpdir(), "gatewright-rules-"));
  after(() => rmSync(folder, { recursive: true }));

  /** One look at a world of these series: which alerts fire. */
  const look = (series: Series, at: string, exp_samples: readonly FiringSample[]): object => ({
    interval: "1m",
    input_series: series.map(([name, values]) => ({ series: name, values })),
    promql_expr_test: [{ expr: 'count by (alertname) (ALERTS{alertstate="firing"})', eval_time: at, exp_samples }],
  });
  const judge = async (name: string, tests: readonly object[]): Promise<void> => {
    const file = join(folder, `${name}.json`);
    writeFileSync(file, JSON.stringify({ rule_files: files, evaluation_interval: "1m", tests }));
    const { code, stdout, stderr } = await run("promtool", ["test", "rules", file]);
    assert.equal(code, 0, stdout + stderr);
  };

  test("all files of rules are sound", async () => {
    assert.equal(files.length, ruleGroups.length);
    const { code, stdout, stderr } = await run("promtool", ["check", "rules", ...files]);
    assert.equal(code, 0, stdout + stderr);
  });

  test("each alert fires when what it is for happens, and no other one does", async () => {
    assert.deepEqual(Object.keys(FIRING).sort(), [...alerts].sort());
    const tests = Object.entries(FIRING).map(([alert, series]) => {
      const at = alert === "GatewrightLeaseFlaps" ? "20m" : LATE;
      return look(series, at, [{ labels: `{alertname="${alert}"}`, value: 1 }]);
    });
    await judge("firing", tests);
  });

  test("on a good day nothing fires", async () => {
    await judge(
      "healthy",
      ["15m", "45m", LATE].map((at) => look(HEALTHY, at, [])),
    );
  });

  test("a rule that would be silent is found: promtool judges", async () => {
    const silent = look(HEALTHY, LATE, [{ labels: '{alertname="GatewrightAbsent"}', value: 1 }]);
    await assert.rejects(judge("silent", [silent]), /GatewrightAbsent/);
  });
});
