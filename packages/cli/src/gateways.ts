import { parseArgs } from "node:util";
import { formatYaml, StatusError } from "@gatewright/kube";
import type { Immutable, Json } from "@gatewright/kube";
import { keepAlive, systemClock } from "@gatewright/ports";
import { ConnectedGateway } from "@gatewright/resources";
import { createClient, KubeconfigError, loadTransport, TransportError } from "@gatewright/runtime";
import { gatewaysTable } from "./gateways-table.ts";
import { CLUSTER_FLAGS, CLUSTER_HELP, chosenCluster } from "./cluster/cluster-flags.ts";
import type { ChosenCluster } from "./cluster/cluster-flags.ts";
import type { CommandContext } from "./run.ts";
import { UsageError } from "./usage-error.ts";

const HELP = `Usage: gatewright gateways [OPTIONS]

Lists the gateways that are connected to the operator: how far each is, and what it refused.

  -o, --output FORMAT   table, json or yaml; table without it
${CLUSTER_HELP}
Exit code: 0 all have everything, 3 one is behind or refused something, or there is none, 2 the question was wrong, 1 it could not be
asked.
`;

const FORMATS = ["table", "json", "yaml"] as const;

interface GatewaysOptions {
  readonly output: (typeof FORMATS)[number];
  readonly cluster: ChosenCluster;
}

/** Tells which gateways are connected, and what they have. */
export async function gateways(args: readonly string[], { env }: CommandContext): Promise<number> {
  const options = readOptions(args);
  if (options === "help") {
    process.stdout.write(HELP);
    return 0;
  }
  try {
    const all = await connected(options, env);
    process.stdout.write(written(all, options.output));
    return all.length > 0 && all.every(({ spec }) => spec.behind === 0 && spec.refused === 0) ? 0 : 3;
  } catch (error) {
    const isTold = error instanceof KubeconfigError || error instanceof StatusError || error instanceof TransportError;
    if (!isTold) throw error;
    process.stderr.write(`gatewright gateways: ${error.message}\n`);
    return 1;
  }
}

async function connected(
  { cluster }: GatewaysOptions,
  env: NodeJS.ProcessEnv,
): Promise<readonly Immutable<ConnectedGateway>[]> {
  const { transport } = await loadTransport({ env, ...cluster });
  using _alive = keepAlive();
  try {
    return (await createClient(transport, { fieldManager: "gatewright" }).for(ConnectedGateway).list()).items;
  } finally {
    transport.close();
  }
}

function written(all: readonly Immutable<ConnectedGateway>[], output: GatewaysOptions["output"]): string {
  if (output === "table") return gatewaysTable(all, systemClock.now());
  const specs = all.map(({ spec }) => spec) as unknown as Json;
  return output === "json" ? `${JSON.stringify(specs, undefined, 2)}\n` : formatYaml(specs);
}

function readOptions(args: readonly string[]): GatewaysOptions | "help" {
  let values;
  try {
    ({ values } = parseArgs({
      args: [...args],
      options: {
        output: { type: "string", short: "o" },
        ...CLUSTER_FLAGS,
        help: { type: "boolean", short: "h" },
      },
    }));
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}`);
  }
  if (values.help === true) return "help";
  const output = FORMATS.find((format) => format === (values.output ?? "table"));
  if (output === undefined) throw new UsageError(`--output is one of ${FORMATS.join(", ")}`);
  return {
    output,
    cluster: chosenCluster(values),
  };
}
