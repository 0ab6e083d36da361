import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { CommandContext } from "./run.ts";
import { UsageError } from "./usage-error.ts";

const HELP = `Usage: gatewright envtest FOLDER

Writes commands named etcd and kube-apiserver into FOLDER. They have the interface that controller-runtime's
envtest expects, and run the embedded server:

  gatewright envtest ./assets
  KUBEBUILDER_ASSETS=$PWD/assets go test ./...
`;

/** Writes the folder, or, called by the commands in it, plays the part of one of them. */
export async function envtest(args: readonly string[], { env, root }: CommandContext): Promise<number> {
  const [first = "", ...rest] = args;
  if (first === "--as-etcd") return (await import("./envtest-etcd.ts")).envtestEtcd(rest);
  if (first === "--as-kube-apiserver") return (await import("./envtest-apiserver.ts")).envtestApiserver(rest);
  if (first === "" || first === "--help" || first === "-h") {
    process.stdout.write(HELP);
    return first === "" ? 2 : 0;
  }
  if (first.startsWith("-") || rest.length > 0) throw new UsageError(`expected one folder\n\n${HELP}`);
  const folder = resolve(env["INIT_CWD"] ?? process.cwd(), first);
  const launcher = join(root, "packages", "cli", "bin", "gatewright");
  mkdirSync(folder, { recursive: true });
  for (const name of ["etcd", "kube-apiserver"]) {
    const path = join(folder, name);
    writeFileSync(path, `#!/bin/sh\nexec ${quoted(launcher)} envtest --as-${name} "$@"\n`);
    chmodSync(path, 0o755);
  }
  process.stdout.write(`export KUBEBUILDER_ASSETS=${quoted(folder)}\n`);
  return 0;
}

function quoted(path: string): string {
  return `'${path.replaceAll("'", `'\\''`)}'`;
}
