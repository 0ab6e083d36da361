import { clientReader, findLocalWorld, systemProbes, why as answerWhy } from "@gatewright/explain";
import type { Answer, Question } from "@gatewright/explain";
import { sleep, systemClock } from "@gatewright/ports";
import { CLUSTER_FLAGS, CLUSTER_HELP, chosenCluster, chosenNamespace } from "../cluster/cluster-flags.ts";
import { durationFlag } from "../cluster/duration-flag.ts";
import { EXIT } from "../cluster/exit-codes.ts";
import { machineText, outputFormat } from "../cluster/output-format.ts";
import type { OutputFormat } from "../cluster/output-format.ts";
import { readFlags } from "../cluster/read-flags.ts";
import { withCluster } from "../cluster/with-cluster.ts";
import type { LookedAt } from "../cluster/with-cluster.ts";
import type { CommandContext } from "../run.ts";
import { clean } from "../screen/columns.ts";
import { chosenPaint } from "../screen/paint.ts";
import type { Paint } from "../screen/paint.ts";
import { UsageError } from "../usage-error.ts";
import { askedObject } from "./asked-object.ts";
import { findQuestion } from "./find-question.ts";
import { whyText } from "./why-text.ts";
import { whyFiles } from "./why-files.ts";

const HELP = `Usage: gatewright why KIND/NAME [OPTIONS]
       gatewright why KIND NAME | HOSTNAME | URL | -f FILE

Why is it not live? Follows the chain from the object down to what it stands on (pods, Services, routes, the claim on a hostname, its
certificate, load balancer and DNS, gateways, AWS), says which link is the deepest cause and what to do about it. Kinds as kubectl takes
them: application, ghr, httproutes, svc, sqsqueue ...

  -n, --namespace NAME  default: that of the context; if it is not there, wherever the only one of that name is
  -f, --filename FILE   manifests instead of an object: would the API server take them, and if not, why not? Nothing is stored
  --wait                ask again until it is live, or broken for good
  --timeout DURATION    for how long: 5m
  --no-probes           believe what statuses say: ask no DNS, make no request, connect to no pod
  -o, --output FORMAT   wide (messages of all links), json or yaml
  --no-color            also without it: no colours unless a terminal is looking, nor with NO_COLOR
${CLUSTER_HELP}
Exit code: 0 it is live, 1 it is not, 2 the command line is wrong, 3 it could not be found out, 130 interrupted.
`;

const FLAGS = {
  ...CLUSTER_FLAGS,
  namespace: { type: "string", short: "n" },
  filename: { type: "string", short: "f", multiple: true },
  wait: { type: "boolean" },
  timeout: { type: "string" },
  "no-probes": { type: "boolean" },
  output: { type: "string", short: "o" },
  "no-color": { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

const LOOK_MS = 500;
/** Something may look broken for a moment while it is made; what stays so for this long is told. */
const SETTLED_MS = 5_000;

interface Manner {
  readonly format: OutputFormat;
  readonly paint: Paint;
  readonly waitMs: number;
  readonly probes: boolean;
}

export async function why(args: readonly string[], { env }: CommandContext): Promise<number> {
  const { values, positionals } = readFlags(args, FLAGS, HELP);
  if (values.help === true) {
    process.stdout.write(HELP);
    return EXIT.ok;
  }
  const manner: Manner = {
    format: outputFormat(values.output),
    paint: chosenPaint(env, process.stdout.isTTY, values["no-color"] === true),
    waitMs: values.wait === true ? durationFlag("--timeout", values.timeout ?? "5m") : 0,
    probes: values["no-probes"] !== true,
  };
  if (values.timeout !== undefined && values.wait !== true) throw new UsageError("--timeout goes with --wait");
  const namespace = chosenNamespace(values.namespace);
  const cluster = chosenCluster(values);
  if (values.filename !== undefined) {
    if (positionals.length > 0) throw new UsageError("either an object or -f");
    const files = values.filename;
    return withCluster("why", cluster, env, (seen) => whyFiles(seen, files, namespace, manner));
  }
  if (positionals.length === 0) throw new UsageError(`what is asked about?\n\n${HELP}`);
  const asked = askedObject(positionals);
  return withCluster("why", cluster, env, async (seen) => {
    const reader = clientReader(seen.client);
    const where = { given: namespace, usual: seen.namespace };
    const question = await findQuestion(reader, asked, where, seen.signal);
    const answer = await settled(seen, question, manner);
    process.stdout.write(answerText(answer, manner));
    return exitOf(answer);
  });
}

/** Asks once, or until it is live or has been broken for a while. Progress goes to standard error. */
async function settled({ client, transport, signal }: LookedAt, question: Question, manner: Manner): Promise<Answer> {
  const reader = clientReader(client);
  const local = manner.probes ? await findLocalWorld(reader, signal) : undefined;
  const probes = manner.probes
    ? systemProbes({ clock: systemClock, transport, ...(local !== undefined && { local }) })
    : undefined;
  const until = systemClock.monotonic() + manner.waitMs;
  let [told, brokenSince]: [string, number | undefined] = ["", undefined];
  for (;;) {
    const options = { now: systemClock.now(), signal, ...(probes !== undefined && { probes }) };
    const answer = await answerWhy(reader, question, options);
    const now = systemClock.monotonic();
    brokenSince = answer.state === "broken" ? (brokenSince ?? now) : undefined;
    const isSettled = answer.state === "ok" || answer.state === "warning" || now - (brokenSince ?? now) >= SETTLED_MS;
    if (manner.waitMs === 0 || isSettled || now >= until) return answer;
    if (answer.headline !== told) process.stderr.write(`${clean((told = answer.headline))}\n`);
    await sleep(systemClock, LOOK_MS, signal);
  }
}

function answerText(answer: Answer, { format, paint }: Manner): string {
  if (format === "json" || format === "yaml") return machineText(answer, format);
  return whyText(answer, { paint, now: systemClock.now(), wide: format === "wide" });
}

export function exitOf({ state }: Pick<Answer, "state">): number {
  if (state === "ok" || state === "warning") return EXIT.ok;
  return state === "unknown" ? EXIT.unknown : EXIT.notLive;
}
