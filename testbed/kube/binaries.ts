import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cacheFolder } from "../folders.ts";
import { go, publishedGoMod } from "../go.ts";
import { withProgress } from "../progress.ts";
import type { Progress } from "../progress.ts";
import { stagingVersion } from "./versions.ts";

/** Main packages by the name of the program. */
const PROGRAMS = {
  etcd: "go.etcd.io/etcd/server/v3",
  "kube-apiserver": "k8s.io/kubernetes/cmd/kube-apiserver",
  "kube-controller-manager": "k8s.io/kubernetes/cmd/kube-controller-manager",
} as const;

/** Paths of the control plane's programs. */
export type KubeBinaries = Readonly<Record<keyof typeof PROGRAMS, string>>;

/**
 * The control plane of a Kubernetes version, built once and then taken from the cache. Throws PartMissingError without Go.
 * The first build takes some seven minutes on two cores and 3 GB of Go's build cache.
 */
export async function kubeBinaries(version: string, progress: Progress, signal?: AbortSignal): Promise<KubeBinaries> {
  const folder = cacheFolder(`kube-${version}`);
  const entries = Object.entries(PROGRAMS).map(([name, main]) => ({ name, main, path: join(folder, name) }));
  const missing = entries.filter(({ path }) => !existsSync(path));
  if (missing.length > 0) {
    const module = mkdtempSync(join(tmpdir(), "gatewright-kube-"));
    try {
      await withProgress(progress, `resolving Kubernetes ${version}`, () => writeModule(module, version, signal));
      for (const { name, main, path } of missing) {
        await withProgress(progress, `building ${name} of Kubernetes ${version}`, async () => {
          const built = `${path}.${process.pid}.new`;
          const args = ["build", "-mod=mod", "-trimpath", "-ldflags", linkerFlags(version), "-o", built, main];
          await go(args, module, signal);
          renameSync(built, path);
        });
      }
    } finally {
      rmSync(module, { recursive: true, force: true });
    }
  }
  return Object.fromEntries(entries.map(({ name, path }) => [name, path])) as KubeBinaries;
}

/**
 * A module that requires Kubernetes: its own go.mod points its parts at folders that the published archive does not have, so
 * each is pointed at the module under which it is published. etcd is the version that this Kubernetes was built with.
 */
async function writeModule(folder: string, version: string, signal?: AbortSignal): Promise<void> {
  const goMod = readFileSync(await publishedGoMod(`k8s.io/kubernetes@v${version}`, folder, signal), "utf8");
  const goVersion = /^go (\S+)$/m.exec(goMod)?.[1] ?? "1.23.0";
  const parts = [...goMod.matchAll(/^\s*(k8s\.io\/\S+) => \.\//gm)].map((match) => match[1]!);
  const etcd = /^\s*go\.etcd\.io\/etcd\/client\/v3 (\S+)/m.exec(goMod)?.[1];
  if (parts.length === 0 || etcd === undefined) throw new Error(`go.mod of Kubernetes ${version} is not as expected`);
  const staging = `v${stagingVersion(version)}`;
  const lines = [
    "module gatewright-testbed",
    `go ${goVersion}`,
    `require k8s.io/kubernetes v${version}`,
    `require go.etcd.io/etcd/server/v3 ${etcd}`,
    ...parts.map((part) => `replace ${part} => ${part} ${staging}`),
  ];
  writeFileSync(join(folder, "go.mod"), `${lines.join("\n\n")}\n`);
}

/** Without these `/version` says v0.0.0 and clients that look at it misbehave. */
function linkerFlags(version: string): string {
  const [major, minor] = version.split(".");
  const stamps = [`gitVersion=v${version}`, `gitMajor=${major}`, `gitMinor=${minor}`, "gitTreeState=clean"];
  const packages = ["k8s.io/component-base/version", "k8s.io/client-go/pkg/version"];
  return ["-s -w", ...packages.flatMap((path) => stamps.map((stamp) => `-X ${path}.${stamp}`))].join(" ");
}
