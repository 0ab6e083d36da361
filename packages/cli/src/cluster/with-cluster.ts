import { StatusError } from "@gatewright/kube";
import { DeadlineError, keepAlive } from "@gatewright/ports";
import { createClient, KubeconfigError, loadTransport, TransportError } from "@gatewright/runtime";
import type { Client, Transport } from "@gatewright/runtime";
import { readingOnly } from "../reading-only.ts";
import { UsageError } from "../usage-error.ts";
import type { ChosenCluster } from "./cluster-flags.ts";
import { EXIT } from "./exit-codes.ts";
import { UnreadError } from "./unread-error.ts";

/** A cluster that is only looked at, until the command ends or is interrupted. */
export interface LookedAt {
  readonly client: Client;
  readonly transport: Transport;
  /** Of the context, where no flag says another. */
  readonly namespace: string;
  /** `context "laptop" of /home/me/.kube/config`: whose cluster it is. */
  readonly origin: string;
  /** Aborts on SIGINT. */
  readonly signal: AbortSignal;
}

/** Runs something on the cluster that is chosen, with the rights of its user, and nothing can be written. Resolves to the exit code. */
export async function withCluster(
  command: string,
  cluster: ChosenCluster,
  env: NodeJS.ProcessEnv,
  work: (seen: LookedAt) => Promise<number>,
): Promise<number> {
  const interrupted = new AbortController();
  const interrupt = (): void => interrupted.abort(new Error("interrupted"));
  process.once("SIGINT", interrupt);
  using _alive = keepAlive();
  try {
    const { transport, config } = await loadTransport({ env, ...cluster });
    try {
      const reading = readingOnly(transport);
      return await work({
        client: createClient(reading, { fieldManager: "gatewright" }),
        transport: reading,
        namespace: config.namespace ?? "default",
        origin: config.origin ?? config.server,
        signal: interrupted.signal,
      });
    } finally {
      transport.close();
    }
  } catch (error) {
    if (interrupted.signal.aborted) return EXIT.interrupted;
    if (error instanceof KubeconfigError) throw new UsageError(error.message);
    const isLate = error instanceof DeadlineError;
    const isTold = error instanceof StatusError || error instanceof TransportError || error instanceof UnreadError;
    if (!isLate && !isTold) throw error;
    const problem = isLate ? "the API server has not answered in time" : error.message;
    process.stderr.write(`gatewright ${command}: ${problem}\n`);
    return EXIT.unknown;
  } finally {
    process.off("SIGINT", interrupt);
  }
}
