import { readFileSync } from "node:fs";
import { clientReader, findLocalWorld, systemProbes } from "@gatewright/explain";
import type { LocalWorld } from "@gatewright/explain";
import { keepAlive, systemClock } from "@gatewright/ports";
import { CLUSTER_FLAGS, CLUSTER_HELP, chosenCluster } from "../cluster/cluster-flags.ts";
import { EXIT } from "../cluster/exit-codes.ts";
import { machineText, outputFormat } from "../cluster/output-format.ts";
import { readFlags } from "../cluster/read-flags.ts";
import { withCluster } from "../cluster/with-cluster.ts";
import type { CommandContext } from "../run.ts";
import { chosenPaint } from "../screen/paint.ts";
import { UsageError } from "../usage-error.ts";
import { tryText } from "./try-text.ts";

const HELP = `Usage: gatewright try URL [OPTIONS]

Really asks: resolves the name, connects, checks the certificate, sends a GET; each hop with its time. Says which hop failed and what to do.
With the kubeconfig of a local world names are asked of its DNS, ports 80 and 443 are where its load balancers are, and its authority is
trusted, without flags. Otherwise, and without any kubeconfig, it asks as any program on this machine would.

  --cacert FILE         trust this authority, too
  -o, --output FORMAT   wide (with the first bytes of the answer), json or yaml
  --no-color            also without it: no colours unless a terminal is looking, nor with NO_COLOR
${CLUSTER_HELP}
Exit code: 0 it answers (below 500), 1 it does not, 2 the command line is wrong, 130 interrupted.
`;

const FLAGS = {
  ...CLUSTER_FLAGS,
  cacert: { type: "string" },
  output: { type: "string", short: "o" },
  "no-color": { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

export async function tryUrl(args: readonly string[], { env }: CommandContext): Promise<number> {
  const { values, positionals } = readFlags(args, FLAGS, HELP);
  if (values.help === true) {
    process.stdout.write(HELP);
    return EXIT.ok;
  }
  const [given, ...more] = positionals;
  if (given === undefined || more.length > 0) throw new UsageError(`expected one URL\n\n${HELP}`);
  const url = URL.parse(/^[a-z]+:\/\//i.test(given) ? given : `https://${given}`);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`${JSON.stringify(given)} is no URL of http or https`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new UsageError("a user and a password have no place in the URL: they are not sent, and would be told");
  }
  const format = outputFormat(values.output);
  const paint = chosenPaint(env, process.stdout.isTTY, values["no-color"] === true);
  const ca = values.cacert === undefined ? undefined : authority(values.cacert);
  const around = await surroundings(values, env);
  try {
    using _alive = keepAlive();
    const options = {
      clock: systemClock,
      ...(around.local !== undefined && { local: around.local }),
      ...(ca !== undefined && { ca }),
    };
    const trial = await systemProbes(options).request(url.href, around.signal);
    const text =
      format === "json" || format === "yaml" ? machineText(trial, format) : tryText(trial, paint, format === "wide");
    process.stdout.write(text);
    return trial.hops.every(({ ok }) => ok) ? EXIT.ok : EXIT.notLive;
  } catch (error) {
    if (around.signal.aborted) return EXIT.interrupted;
    throw error;
  } finally {
    around.close();
  }
}

interface Surroundings {
  readonly local: LocalWorld | undefined;
  readonly signal: AbortSignal;
  close(): void;
}

/** The local world of the kubeconfig, if there is one: a URL can be tried without any cluster. */
async function surroundings(
  values: Parameters<typeof chosenCluster>[0],
  env: NodeJS.ProcessEnv,
): Promise<Surroundings> {
  const interrupted = new AbortController();
  const interrupt = (): void => interrupted.abort(new Error("interrupted"));
  process.once("SIGINT", interrupt);
  let local: LocalWorld | undefined;
  try {
    await withCluster("try", chosenCluster(values), env, async ({ client, signal }) => {
      local = await findLocalWorld(clientReader(client), signal);
      return EXIT.ok;
    });
  } catch (error) {
    const isChosen = values.kubeconfig !== undefined || values.context !== undefined;
    if (isChosen || !(error instanceof UsageError)) throw error;
  }
  return { local, signal: interrupted.signal, close: () => void process.off("SIGINT", interrupt) };
}

function authority(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(`cannot read ${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
