import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fetchAwsClients } from "../test/tools/aws-clients.ts";
import { fetchChromium } from "../test/tools/chromium.ts";
import { fetchDebian } from "../test/tools/debian.ts";
import { fetchDig } from "../test/tools/dig.ts";
import { MINORS, tools } from "../test/tools/layer.ts";
import { fetchPrometheus } from "../test/tools/prometheus.ts";

/** Fetches what some tests and generators can use, so that none is skipped for want of it. */

/** Kubernetes' published Go modules: test data, and the types that the table of built-in kinds is made from. */
const MODULES = ["api", "apimachinery", "apiextensions-apiserver"].map((name) => `k8s.io/${name}@v0.36.4`);
const ENVTEST_SUITE = join(import.meta.dirname, "..", "test", "envtest", "suite");

function tell(what: string, problem: string | undefined, where = "ready"): void {
  if (problem === undefined) {
    console.log(`${what}: ${where}`);
  } else {
    console.error(`${what}: ${problem}`);
    process.exitCode = 1;
  }
}

function download(what: string, args: readonly string[], cwd: string): void {
  const { status, error, stderr } = spawnSync("go", ["mod", "download", ...args], { cwd, encoding: "utf8" });
  tell(what, status === 0 ? undefined : (error?.message ?? stderr.trim()));
}

for (const minor of MINORS) {
  const found = tools(minor);
  if ("missing" in found) tell(`kubectl ${minor}`, found.missing);
  else tell(`kubectl ${minor}`, undefined, found.kubectl);
}
download("Go modules of Kubernetes", MODULES, import.meta.dirname);
download("Go modules of the envtest suite", [], ENVTEST_SUITE);

const clients = fetchAwsClients();
if ("missing" in clients) tell("aws CLI and boto3", clients.missing);
else tell("aws CLI and boto3", undefined, clients.aws);

// These come from the system, which not everyone may change: the tests that want them skip, and nothing else suffers.
console.log(`Chromium: ${fetchChromium()?.missing ?? "ready"}`);
console.log(`dig: ${fetchDig()?.missing ?? "ready"}`);
console.log(`promtool: ${fetchPrometheus()?.missing ?? "ready"}`);
console.log(`wrk: ${fetchDebian("wrk", "wrk")?.missing ?? "ready"}`);
