import { hostname } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { applications } from "@gatewright/applications";
import { addRouting } from "@gatewright/routing";
import { createHealthServer, KubeconfigError, runOperator } from "@gatewright/runtime";
import type { Manager, OperatorParts } from "@gatewright/runtime";
import { operatorCertificates } from "./operator-certificates.ts";
import { OPERATOR_HELP, readOperatorOptions } from "./operator-options.ts";
import type { OperatorOptions } from "./operator-options.ts";
import type { CommandContext } from "./run.ts";
import { untilSignal } from "./until-signal.ts";
import { UsageError } from "./usage-error.ts";

/** Runs controllers against a cluster until SIGTERM or SIGINT. */
export async function operator(args: readonly string[], { env, root }: CommandContext): Promise<number> {
  const options = readOperatorOptions(args, env);
  if (options === "help") {
    process.stdout.write(OPERATOR_HELP);
    return 0;
  }
  const { namespace, lease: name, cluster, health, log } = options;
  const replica = env["POD_NAME"] ?? hostname();
  const stopping = new AbortController();
  void untilSignal().then(() => stopping.abort());
  try {
    await runOperator(
      {
        name: "gatewright",
        env,
        cluster,
        health,
        log,
        // The command is one file, threads are not in it.
        leaseThread: pathToFileURL(join(root, "packages/runtime/src/lease/lease-worker.ts")),
        ...(options.leads && { lease: { namespace, name, identity: replica } }),
      },
      (manager, parts) => setUp(manager, parts, options, replica),
      stopping.signal,
    );
  } catch (error) {
    if (error instanceof KubeconfigError) throw new UsageError(error.message);
    throw error;
  }
  return 0;
}

function setUp(manager: Manager, parts: OperatorParts, options: OperatorOptions, replica: string): void {
  const { parts: wanted, metrics, namespace, routing: settings } = options;
  if (metrics !== undefined) manager.addRunnable(createHealthServer({ manager, metrics: parts.metrics, ...metrics }));
  if (wanted.includes("applications")) manager.add(applications({ watchAll: true }));
  if (wanted.includes("routing")) {
    const certificates = operatorCertificates(manager, parts, options);
    addRouting(manager, { ...parts, namespace, replica, certificates, settings });
  }
}
