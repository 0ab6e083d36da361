import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What has to hold before a version is released, beside green checks and tests. Prints what does not and exits with 1. */
const root = join(import.meta.dirname, "..");
const read = (file: string): string => readFileSync(join(root, file), "utf8");
const { version } = JSON.parse(read("package.json")) as { readonly version: string };
const problems: string[] = [];

for (const file of globSync("packages/*/package.json", { cwd: root }).sort()) {
  const own = (JSON.parse(read(file)) as { readonly version: string }).version;
  if (own !== version) problems.push(`${file} has version ${own}, the workspace ${version}`);
}
for (const file of globSync("charts/*/Chart.yaml", { cwd: root }).sort()) {
  for (const [field, own] of read(file).matchAll(/^(?:version|appVersion): "?([^"\n]+)"?$/gm))
    if (own !== version) problems.push(`${file}: ${field}, and the workspace has ${version}`);
}
if (!read("CHANGELOG.md").includes(`## ${version}`)) problems.push(`CHANGELOG.md has no section ${version}`);

const audit = spawnSync("npm", ["audit", "--audit-level=high"], { cwd: root, encoding: "utf8" });
if (audit.status !== 0) problems.push(`npm audit: ${(audit.stdout + audit.stderr).trim()}`);

for (const problem of problems) console.error(problem);
console.log(problems.length === 0 ? `${version} can be released` : `${version} cannot be released yet`);
process.exitCode = problems.length > 0 ? 1 : 0;
