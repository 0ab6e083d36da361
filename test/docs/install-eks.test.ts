import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { allResources } from "@gatewright/resources";
import { parse } from "yaml";
import { run } from "../tools/command.ts";
import { MINORS, tools } from "../tools/layer.ts";
import { suite } from "../tools/suite.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const PAGES = [
  "docs/install-eks.md",
  "docs/releasing.md",
  "charts/gatewright/README.md",
  "charts/gatewright-gateway/README.md",
];
const read = (file: string): string => readFileSync(join(ROOT, file), "utf8");
const guide = read("docs/install-eks.md");

/** Commands of a page's blocks, each on one line. */
function commandsOf(page: string): readonly string[] {
  const blocks = Array.from(page.matchAll(/^ *```sh\n([^]*?)^ *```$/gm), ([, text = ""]) => text);
  return blocks
    .join("\n")
    .replaceAll(/<<EOF\n[^]*?\nEOF\n/g, "\n")
    .replaceAll(/ *\\\n */g, " ")
    .split("\n")
    .map((line) => line.replace(/ +#.*$/, "").trim())
    .filter((line) => line !== "");
}

/** Whether a chart knows a value: `metrics.serviceMonitor.enabled`. */
function isValue(chart: string, path: string): boolean {
  let schema = JSON.parse(read(`charts/${chart}/values.schema.json`)) as Record<string, unknown> | undefined;
  for (const name of path.replaceAll(/\[\d+\]/g, "").split(/(?<!\\)\./)) {
    const { properties, additionalProperties } = (schema ?? {}) as Record<string, Record<string, unknown> | undefined>;
    schema = (properties?.[name] ?? additionalProperties) as typeof schema;
    if (schema === undefined || (schema as unknown) === false) return false;
  }
  return true;
}

test("files, folders and scripts that commands name are there", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  let seen = 0;
  for (const page of PAGES) {
    for (const command of commandsOf(read(page))) {
      for (const [path] of command.matchAll(/(?<![\w/.:])(?:charts|config|examples|docs)\/[\w./-]+/g)) {
        assert.ok(existsSync(join(ROOT, path)), `${page}: ${path}`);
        seen++;
      }
      for (const [, name = ""] of command.matchAll(/npm run (?:--silent )?([\w:-]+)/g)) {
        assert.ok(scripts[name] !== undefined, `${page}: npm run ${name}`);
        seen++;
      }
    }
  }
  assert.ok(seen > 12, String(seen));
});

test("values that helm is given are values of their chart", () => {
  let seen = 0;
  const check = (chart: string, path: string): void => {
    assert.ok(isValue(chart, path), `${chart} has no value ${path}`);
    seen++;
  };
  for (const page of PAGES) {
    for (const command of commandsOf(read(page))) {
      const chart = /charts\/(gatewright[\w-]*)/.exec(command)?.[1];
      if (!command.startsWith("helm") || chart === undefined) continue;
      for (const [, path = ""] of command.matchAll(/--set ([^=\s]+)=/g)) check(chart, path);
    }
    for (const [code] of read(page).matchAll(/`--set [^`]+`/g))
      for (const [, path = ""] of code.matchAll(/--set ([^=\s]+)=/g)) check("gatewright", path);
    for (const [, path = ""] of read(page).matchAll(/`((?:routing|infra|hostnames|metrics|networkPolicy)\.[\w.]+)`/g))
      check(isValue("gatewright", path) ? "gatewright" : "gatewright-gateway", path);
  }
  assert.ok(seen > 10, String(seen));
  assert.ok(!isValue("gatewright", "metrics.serviceMonitor.nothing"));
});

test("kinds that are named are kinds of ours, or of those who are installed before", () => {
  const ours = new Set(allResources.flatMap(({ kind, plural }) => [kind, plural]));
  for (const kind of ["GatewayHostnameRequest", "AWSProvider", "APIRoute"])
    assert.ok(ours.has(kind) && guide.includes(kind));
  for (const [, plural = ""] of guide.matchAll(/kubectl get ([a-z]+) --(?:all-namespaces|namespace shop)/g)) {
    const isCategory = allResources.some((each) => JSON.stringify(each).includes(`"${plural}"`));
    assert.ok(ours.has(plural) || isCategory, plural);
  }
});

test("our command takes what the guide gives it", async () => {
  const ours = commandsOf(guide).filter((command) => command.includes("gatewright -- "));
  assert.equal(ours.length, 2);
  const env = { CLUSTER: "prod-1", ZONE: "Z0123456789ABC" };
  const [manifests = ""] = ours;
  const args = manifests
    .replace(/^.*gatewright -- /, "")
    .replace(/ > .*$/, "")
    .replaceAll(/\$(\w+)/g, (_, name: keyof typeof env) => env[name])
    .split(" ");
  const { code, stdout, stderr } = await run(process.execPath, [join(ROOT, "packages/cli/src/main.cjs"), ...args]);
  assert.equal(code, 0, stderr);
  const policy = JSON.parse(stdout) as { readonly Statement: readonly unknown[] };
  assert.ok(policy.Statement.length > 5);
  assert.match(stdout, /hostedzone\/Z0123456789ABC/);
});

for (const minor of MINORS) {
  const found = tools(minor);
  suite(`the guide's values, with helm of ${minor}`, "missing" in found ? found.missing : false, () => {
    if ("missing" in found) return;
    test("are values that the chart takes", async () => {
      const [, values = ""] = /```yaml\n(# values of charts\/gatewright\n[^]*?)```/.exec(guide) ?? [];
      assert.equal((parse(values) as { cluster: string }).cluster, "prod-1");
      const folder = mkdtempSync(join(tmpdir(), "gatewright-guide-"));
      try {
        const file = join(folder, "values.yaml");
        writeFileSync(file, values);
        const args = [
          "template",
          "gatewright",
          join(ROOT, "charts/gatewright"),
          "--namespace",
          "gatewright",
          "--values",
          file,
        ];
        const { code, stdout, stderr } = await run(found.helm, args);
        assert.equal(code, 0, stderr);
        assert.match(stdout, /eks\.amazonaws\.com\/role-arn: arn:aws:iam::123456789012:role\/gatewright-prod-1/);
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  });
}
