import { parseArgs } from "node:util";
import { isDNS1123Subdomain, StatusError } from "@gatewright/kube";
import { keepAlive } from "@gatewright/ports";
import { createClient, KubeconfigError, loadTransport, TransportError } from "@gatewright/runtime";
import { moveRequest } from "./move-request.ts";
import type { Move } from "./move-request.ts";
import { CLUSTER_FLAGS, CLUSTER_HELP, chosenCluster, chosenNamespace } from "./cluster/cluster-flags.ts";
import type { ChosenCluster } from "./cluster/cluster-flags.ts";
import type { CommandContext } from "./run.ts";
import { UsageError } from "./usage-error.ts";

const HELP = `Usage: gatewright move REQUEST --to GATEWAY [OPTIONS]

Moves the hostname of a GatewayHostnameRequest to another Gateway of the pool, without a request lost: it is served on both until DNS
leads to the new one. Its routes have to name both Gateways meanwhile.

  -n, --namespace NAME  where the request is; default: that of the kubeconfig
  --to GATEWAY          such as gw-02
  --anyway              also while there are routes that do not name the new Gateway
  --no-wait             do not wait until the old Gateway is left
${CLUSTER_HELP}
Exit code: 0 it has moved, or with --no-wait is asked to, 1 it is not moved, 2 the command line is wrong, 3 the API server could not be
asked, 130 interrupted.
`;

interface MoveOptions extends Move {
  readonly name: string;
  readonly namespace: string | undefined;
  readonly cluster: ChosenCluster;
}

/** Asks for the move and follows it until the old Gateway is left. */
export async function move(args: readonly string[], { env }: CommandContext): Promise<number> {
  const options = readOptions(args);
  if (options === "help") {
    process.stdout.write(HELP);
    return 0;
  }
  const { transport, config } = await loadTransport({ env, ...options.cluster }).catch((error: unknown) => {
    throw error instanceof KubeconfigError ? new UsageError(error.message) : error;
  });
  using _alive = keepAlive();
  const interrupted = new AbortController();
  const interrupt = (): void => interrupted.abort();
  process.once("SIGINT", interrupt);
  try {
    const client = createClient(transport, { fieldManager: "gatewright-move" });
    const ref = { namespace: options.namespace ?? config.namespace ?? "default", name: options.name };
    return await moveRequest(client, ref, options, say, interrupted.signal);
  } catch (error) {
    if (interrupted.signal.aborted) {
      say("It goes on without being watched.");
      return 130;
    }
    if (!(error instanceof StatusError) && !(error instanceof TransportError)) throw error;
    process.stderr.write(`gatewright move: ${error.message}\n`);
    return 3;
  } finally {
    process.off("SIGINT", interrupt);
    transport.close();
  }
}

function readOptions(args: readonly string[]): MoveOptions | "help" {
  let parsed;
  try {
    parsed = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        namespace: { type: "string", short: "n" },
        to: { type: "string" },
        anyway: { type: "boolean" },
        "no-wait": { type: "boolean" },
        ...CLUSTER_FLAGS,
        help: { type: "boolean", short: "h" },
      },
    });
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}`);
  }
  const { values, positionals } = parsed;
  if (values.help === true) return "help";
  const [name, ...more] = positionals;
  if (name === undefined || more.length > 0 || values.to === undefined) {
    throw new UsageError(`expected one request and --to\n\n${HELP}`);
  }
  for (const each of [name, values.to]) {
    if (isDNS1123Subdomain(each).length > 0)
      throw new UsageError(`${JSON.stringify(each)} is no name of a request or of a Gateway`);
  }
  return {
    name,
    namespace: chosenNamespace(values.namespace),
    to: values.to,
    anyway: values.anyway === true,
    wait: values["no-wait"] !== true,
    cluster: chosenCluster(values),
  };
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
