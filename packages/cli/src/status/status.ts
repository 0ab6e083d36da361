import { clientReader, overview } from "@gatewright/explain";
import type { Overview } from "@gatewright/explain";
import { systemClock } from "@gatewright/ports";
import { CLUSTER_FLAGS, CLUSTER_HELP, chosenCluster, chosenNamespace } from "../cluster/cluster-flags.ts";
import { EXIT } from "../cluster/exit-codes.ts";
import { machineText, outputFormat } from "../cluster/output-format.ts";
import { readFlags } from "../cluster/read-flags.ts";
import { withCluster } from "../cluster/with-cluster.ts";
import type { LookedAt } from "../cluster/with-cluster.ts";
import type { CommandContext } from "../run.ts";
import { chosenPaint } from "../screen/paint.ts";
import { UsageError } from "../usage-error.ts";
import { narrowingReader } from "./narrowing-reader.ts";
import { statusText } from "./status-text.ts";

const HELP = `Usage: gatewright status [OPTIONS]

Applications, hostnames, routes, AWS resources and gateways on one screen, what is wrong first. 'gatewright why' tells more of one.

  -n, --namespace NAME  of one namespace
  -A, --all-namespaces  of all; the default, but for kinds that may not be read of all: of those the namespace of the context
  -o, --output FORMAT   wide (everything, with messages), json or yaml
  --no-color            also without it: no colours unless a terminal is looking, nor with NO_COLOR
${CLUSTER_HELP}
Exit code: 0 everything is live, 1 something is not, 2 the command line is wrong, 3 something could not be read, 130 interrupted.
`;

const FLAGS = {
  ...CLUSTER_FLAGS,
  namespace: { type: "string", short: "n" },
  "all-namespaces": { type: "boolean", short: "A" },
  output: { type: "string", short: "o" },
  "no-color": { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

export async function status(args: readonly string[], { env }: CommandContext): Promise<number> {
  const { values, positionals } = readFlags(args, FLAGS, HELP);
  if (values.help === true) {
    process.stdout.write(HELP);
    return EXIT.ok;
  }
  if (positionals.length > 0)
    throw new UsageError(`it takes no words; for one object: gatewright why ${positionals[0]}`);
  const isAll = values["all-namespaces"] === true;
  if (isAll && values.namespace !== undefined) throw new UsageError("either -n or -A");
  const namespace = chosenNamespace(values.namespace);
  const format = outputFormat(values.output);
  const paint = chosenPaint(env, process.stdout.isTTY, values["no-color"] === true);
  return withCluster("status", chosenCluster(values), env, async (seen) => {
    const all = await look(seen, namespace, isAll);
    const now = systemClock.now();
    const text =
      format === "json" || format === "yaml"
        ? machineText(all, format)
        : statusText(all, { paint, now, wide: format === "wide" });
    process.stdout.write(text);
    return exitOf(all);
  });
}

/** Of all namespaces; kinds that may not be read of all, of the one of the context. Which those are is said on standard error. */
async function look(
  { client, namespace, signal }: LookedAt,
  given: string | undefined,
  isAll: boolean,
): Promise<Overview> {
  const reader = clientReader(client);
  const options = { now: systemClock.now(), signal };
  if (given !== undefined) return overview(reader, { ...options, namespace: given });
  if (isAll) return overview(reader, options);
  const narrowing = narrowingReader(reader, namespace);
  const all = await overview(narrowing, options);
  const less = narrowing.told();
  if (less !== undefined) process.stderr.write(`${less}\n`);
  return all;
}

function exitOf({ counts, groups }: Overview): number {
  if (counts.broken + counts.waiting > 0) return EXIT.notLive;
  return counts.unknown > 0 || groups.some(({ unread }) => unread.length > 0) ? EXIT.unknown : EXIT.ok;
}
