import { hostname } from "node:os";
import { CredentialsError } from "@gatewright/aws";
import { addParts } from "@gatewright/operator";
import type { PartSettings } from "@gatewright/operator";
import { createHealthServer, KubeconfigError, runOperator } from "@gatewright/runtime";
import type { Manager, OperatorParts } from "@gatewright/runtime";
import { certificateFiles } from "@gatewright/runtime/webhook";
import type { CommandContext } from "../run.ts";
import { threadFile } from "../thread-file.ts";
import { untilSignal } from "../until-signal.ts";
import { UsageError } from "../usage-error.ts";
import type { ConsoleOptions } from "./console-options.ts";
import { OPERATOR_HELP } from "./operator-flags.ts";
import { readOperatorOptions } from "./operator-options.ts";

/** Runs controllers against a cluster until SIGTERM or SIGINT. */
export async function operator(args: readonly string[], context: CommandContext): Promise<number> {
  const { env } = context;
  const options = readOperatorOptions(args, env);
  if (options === "help") {
    process.stdout.write(OPERATOR_HELP);
    return 0;
  }
  const { namespace, lease: name, kube, health, log, metrics } = options;
  const replica = env["POD_NAME"] ?? hostname();
  const stopping = new AbortController();
  void untilSignal().then(() => stopping.abort());
  try {
    await runOperator(
      {
        name: "gatewright",
        env,
        cluster: kube,
        health,
        log,
        leaseThread: threadFile(context, "lease-worker"),
        ...(options.leads && { lease: { namespace, name, identity: replica } }),
      },
      async (manager, parts) => {
        if (metrics !== undefined)
          manager.addRunnable(createHealthServer({ manager, metrics: parts.metrics, ...metrics }));
        if (options.console !== undefined) await addConsole(manager, parts, options, options.console, context.root);
        addParts(manager, parts, { ...options, replica }, env);
      },
      stopping.signal,
    );
  } catch (error) {
    if (error instanceof KubeconfigError) throw new UsageError(error.message);
    if (error instanceof CredentialsError) throw new UsageError(`${error.message}. ${error.remedy}`);
    throw error;
  }
  return 0;
}

/** It brings the whole gateway with it, to tell what one does with a request: loaded by who wants it only. */
async function addConsole(
  manager: Manager,
  parts: OperatorParts,
  { routing }: Pick<PartSettings, "routing">,
  { address, hosts, files }: ConsoleOptions,
  root: string,
): Promise<void> {
  const { createConsoleServer } = await import("@gatewright/console");
  const { clock, random, log, cluster } = parts;
  const certificates = files && certificateFiles({ ...files, clock, log });
  const safe = certificates === undefined ? {} : { certificates };
  manager.addRunnable(
    createConsoleServer({
      clock,
      random,
      log,
      cluster,
      root,
      hosts,
      ingress: routing?.settings.ingress,
      ...address,
      ...safe,
    }),
  );
}
