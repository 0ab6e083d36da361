import { spawnSync } from "node:child_process";

/** Everything that must hold before work lands, quickest first. Runs all of it and tells what failed. */
const CHECKS: readonly (readonly [string, readonly string[]])[] = [
  ["types", ["tsc", "--project", "."]],
  ["types of the page", ["tsc", "--project", "packages/console/src/web"]],
  ["house rules", ["node", "scripts/house-rules.ts"]],
  ["lint", ["oxlint", "--type-aware", "--deny-warnings"]],
  ["format", ["oxfmt", "--check"]],
  ["unused", ["knip"]],
  ["links", ["node", "scripts/check-links.ts"]],
  ["generated files", ["node", "scripts/generate.ts", "--check"]],
];

const failed: string[] = [];
for (const [name, [command = "", ...args]] of CHECKS) {
  const started = performance.now();
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: "utf8" });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${status === 0 ? "ok  " : "FAIL"} ${name} (${seconds} s)`);
  if (status !== 0) {
    failed.push(name);
    process.stdout.write(`${stdout}${stderr}`);
  }
}
if (failed.length > 0) console.error(`check: ${failed.join(", ")} failed`);
process.exitCode = failed.length > 0 ? 1 : 0;
