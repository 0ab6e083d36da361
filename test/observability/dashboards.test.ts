import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { dashboards, ruleGroups } from "../../scripts/observability/parts.ts";
import { freePorts } from "../../testbed/index.ts";
import { eventually } from "../real/eventually.ts";
import { tools } from "../tools/layer.ts";
import { prometheusMissing } from "../tools/prometheus.ts";
import { suite } from "../tools/suite.ts";
import { startWatchedWorld } from "./watched-world.ts";

interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[];
}

interface Answer {
  readonly status: string;
  readonly error?: string;
  readonly data?: { readonly result: readonly unknown[] };
}

/** What only bad days have: the query is answered, with nothing. */
const NOTHING_WRONG = [/gatewright_gateway_answers_broken_off_total/];

const found = tools("1.36");

suite(
  "dashboards, asked of a real Prometheus",
  ("missing" in found ? found.missing : undefined) ?? prometheusMissing(),
  () => {
    if ("missing" in found) return;
    const ended = new AsyncDisposableStack();
    let url: string;

    before(async () => {
      const world = ended.use(await startWatchedWorld(found.kubectl));
      const folder = mkdtempSync(join(tmpdir(), "gatewright-prometheus-"));
      ended.defer(() => rmSync(folder, { recursive: true, force: true }));
      const [port = 0] = await freePorts(1);
      const config = {
        global: { scrape_interval: "1s", evaluation_interval: "1s" },
        rule_files: ruleGroups.map(({ part }) =>
          join(import.meta.dirname, "../../config/observability/rules", `${part}.yaml`),
        ),
        scrape_configs: world.targets.map((target, index) => ({
          job_name: index === 0 ? "operator" : "gateway",
          static_configs: [{ targets: [target] }],
        })),
      };
      writeFileSync(join(folder, "prometheus.yml"), JSON.stringify(config));
      const prometheus = spawn(
        "prometheus",
        [
          `--config.file=${join(folder, "prometheus.yml")}`,
          `--storage.tsdb.path=${join(folder, "data")}`,
          `--web.listen-address=127.0.0.1:${port}`,
          "--log.level=error",
        ],
        { stdio: "ignore" },
      );
      ended.defer(async () => {
        prometheus.kill("SIGKILL");
        await once(prometheus, "exit");
      });
      url = `http://127.0.0.1:${port}`;
      await eventually(
        "both were scraped a few times",
        () => ask("count_over_time(up[1m])").catch(() => undefined),
        (answer) => {
          const counts = (answer?.data?.result ?? []) as readonly { readonly value: readonly [number, string] }[];
          return counts.length === 2 && counts.every(({ value }) => Number(value[1]) >= 4);
        },
      );
    });
    after(() => ended.disposeAsync());

    const ask = async (query: string): Promise<Answer> =>
      (await (await fetch(`${url}/api/v1/query?${new URLSearchParams({ query })}`)).json()) as Answer;

    test("both are up, and what they tell is taken whole", async () => {
      const { data } = await ask("up == 1 and scrape_samples_post_metric_relabeling == scrape_samples_scraped");
      assert.equal(data?.result.length, 2);
    });

    for (const { part, dashboard } of dashboards) {
      test(`every query of ${part} is answered, with data`, async () => {
        const { panels } = dashboard as Dashboard;
        const queries = panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ title, expr })));
        assert.ok(queries.length > 3);
        for (const { title, expr } of queries) {
          const { status, error, data } = await ask(expr);
          assert.equal(status, "success", `${title}: ${expr}: ${error}`);
          if (NOTHING_WRONG.some((pattern) => pattern.test(expr))) continue;
          assert.ok((data?.result.length ?? 0) > 0, `${title}: no data for ${expr}`);
        }
      });
    }

    test("Prometheus takes the rules, and evaluates them without error", async () => {
      const look = async () => {
        const { data } = (await (await fetch(`${url}/api/v1/rules`)).json()) as {
          data: { groups: readonly { rules: readonly { health: string; lastError?: string }[] }[] };
        };
        return data.groups.flatMap(({ rules }) => rules);
      };
      const rules = await eventually("all rules were evaluated", look, (seen) =>
        seen.every(({ health }) => health !== "unknown"),
      );
      assert.equal(rules.length, ruleGroups.flatMap(({ alerts }) => alerts).length);
      assert.deepEqual(
        rules.filter(({ health }) => health === "err").map(({ lastError }) => lastError),
        [],
      );
    });
  },
);
