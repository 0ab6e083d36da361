import { OVERVIEW_GROUPS, Timeline } from "@gatewright/explain";
import type { Moment } from "@gatewright/explain";
import { StatusError } from "@gatewright/kube";
import { core } from "@gatewright/kube/api";
import { deadline, systemClock } from "@gatewright/ports";
import { Application } from "@gatewright/resources";
import type { Client } from "@gatewright/runtime";
import { CLUSTER_FLAGS, CLUSTER_HELP, chosenCluster, chosenNamespace } from "../cluster/cluster-flags.ts";
import { durationFlag } from "../cluster/duration-flag.ts";
import { EXIT } from "../cluster/exit-codes.ts";
import { readFlags } from "../cluster/read-flags.ts";
import { withCluster } from "../cluster/with-cluster.ts";
import type { CommandContext } from "../run.ts";
import { chosenPaint } from "../screen/paint.ts";
import { UsageError } from "../usage-error.ts";
import { followKind } from "./follow-kind.ts";
import { momentLine } from "./moment-line.ts";
import { onlyOf } from "./only-of.ts";

const HELP = `Usage: gatewright watch [KIND/NAME] [OPTIONS]

What happens, as it happens: conditions that change, events, gateways that come and go; of everything, or of one object. Until it is
interrupted.

  -n, --namespace NAME  in one namespace
  -A, --all-namespaces  in all; the default, or where that is not allowed the namespace of the context
  --timeout DURATION    end after this long, such as 30s
  -o, --output json     one JSON object a line
  --no-color            also without it: no colours unless a terminal is looking, nor with NO_COLOR
${CLUSTER_HELP}
Exit code: 0 it ended by --timeout, 2 the command line is wrong, 3 nothing may be watched or nobody answers, 130 interrupted.
`;

const FLAGS = {
  ...CLUSTER_FLAGS,
  namespace: { type: "string", short: "n" },
  "all-namespaces": { type: "boolean", short: "A" },
  timeout: { type: "string" },
  output: { type: "string", short: "o" },
  "no-color": { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

const FOREVER_MS = 2 ** 31 - 1;

export async function watch(args: readonly string[], { env }: CommandContext): Promise<number> {
  const { values, positionals } = readFlags(args, FLAGS, HELP);
  if (values.help === true) {
    process.stdout.write(HELP);
    return EXIT.ok;
  }
  if (values.output !== undefined && values.output !== "json") throw new UsageError("-o is json, or not given");
  if (values["all-namespaces"] === true && values.namespace !== undefined) throw new UsageError("either -n or -A");
  const given = chosenNamespace(values.namespace);
  const only = positionals.length === 0 ? undefined : onlyOf(positionals);
  const paint = chosenPaint(env, process.stdout.isTTY, values["no-color"] === true);
  const ms = values.timeout === undefined ? FOREVER_MS : durationFlag("--timeout", values.timeout);
  const write = (moment: Moment): void => {
    if (only !== undefined && !only(moment)) return;
    process.stdout.write(`${values.output === "json" ? JSON.stringify(moment) : momentLine(moment, paint)}\n`);
  };
  return withCluster("watch", chosenCluster(values), env, async ({ client, namespace, signal }) => {
    using limit = deadline(systemClock, ms, signal);
    const kinds = [...OVERVIEW_GROUPS.flatMap((group) => group.kinds), core.Event];
    const isAll = (await mayListAll(client, limit.signal)) || values["all-namespaces"] === true;
    const where = given ?? (isAll ? undefined : namespace);
    const refusals = new Set<string>();
    const following = {
      client,
      timeline: new Timeline(),
      selection: where === undefined ? {} : { namespace: where },
      tell: write,
      refused: (message: string): void => {
        if (!refusals.has(message)) process.stderr.write(`gatewright watch: ${message}\n`);
        refusals.add(message);
      },
      signal: limit.signal,
    };
    process.stderr.write(`Watching ${where === undefined ? "all namespaces" : `namespace ${where}`}.\n`);
    await Promise.all(kinds.map((kind) => followKind(kind, following)));
    signal.throwIfAborted();
    if (limit.signal.aborted) return EXIT.ok;
    if (refusals.size === 0)
      process.stderr.write("gatewright watch: the API server serves nothing of what is watched\n");
    return EXIT.unknown;
  });
}

/** The first that is asked of the API server: rejects when that does not answer, or to nobody, since then nothing would ever be told. */
export async function mayListAll(client: Client, signal: AbortSignal): Promise<boolean> {
  try {
    await client.for(Application).list({ signal });
    return true;
  } catch (error) {
    if (!(error instanceof StatusError) || (error.code !== 403 && error.code !== 404)) throw error;
    return error.code === 404;
  }
}
