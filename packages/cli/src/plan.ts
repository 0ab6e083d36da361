import { parseArgs } from "node:util";
import { createHttpSend } from "@gatewright/aws";
import { ALL_KINDS, createPlanner, planExitCode, planText, plainPaint, terminalPaint } from "@gatewright/infra";
import { StatusError } from "@gatewright/kube";
import type { KubeObject } from "@gatewright/kube";
import { keepAlive, systemClock, systemRandom } from "@gatewright/ports";
import { createClient, KubeconfigError, loadTransport, TransportError } from "@gatewright/runtime";
import { awsSurroundings } from "./aws-surroundings.ts";
import { readManifests } from "./read-manifests.ts";
import { readingOnly } from "./reading-only.ts";
import { CLUSTER_FLAGS, CLUSTER_HELP, chosenCluster } from "./cluster/cluster-flags.ts";
import type { ChosenCluster } from "./cluster/cluster-flags.ts";
import type { CommandContext } from "./run.ts";
import { UsageError } from "./usage-error.ts";

const HELP = `Usage: gatewright plan -f FILE [-f FILE ...] [OPTIONS]

Says what the operator would do to AWS if these files were applied: what would be created, changed (field by field), replaced or
deleted. Nothing is changed, neither in the cluster nor in AWS: the API server is asked for dry runs, and AWS is only read.

  -f, --filename FILE   a file or folder with manifests, or - for standard input; may be repeated
  -n, --namespace NAME  of objects that name none; default: that of the kubeconfig
  --delete              what if these objects were deleted instead
  --no-color            also without it: no colours unless a terminal is looking
${CLUSTER_HELP}
Credentials for AWS are those of the AWSProviders, as far as the kubeconfig lets their Secrets be read. For providers that act as the
operator itself they are those of the environment (AWS_ACCESS_KEY_ID and the rest, AWS_ENDPOINT_URL).

Exit code: 0 nothing would change, 2 something would, 1 something is wrong or could not be found out.
`;

interface PlanOptions {
  readonly files: readonly string[];
  readonly namespace: string | undefined;
  readonly what: "apply" | "delete";
  readonly color: boolean;
  readonly cluster: ChosenCluster;
}

/** Tells what the operator would do about files. All that is wrong is exit code 1: 2 says that something would change. */
export async function plan(args: readonly string[], { env }: CommandContext): Promise<number> {
  try {
    const options = readOptions(args, env);
    if (options === "help") {
      process.stdout.write(HELP);
      return 0;
    }
    return await tell(options, env);
  } catch (error) {
    if (!isTold(error)) throw error;
    process.stderr.write(`gatewright plan: ${error.message}\n`);
    return 1;
  }
}

async function tell({ files, namespace, what, color, cluster }: PlanOptions, env: NodeJS.ProcessEnv): Promise<number> {
  const objects = readManifests(files);
  const { transport, config } = await loadTransport({ env, ...cluster });
  using _alive = keepAlive();
  const http = createHttpSend();
  const interrupted = new AbortController();
  const interrupt = (): void => interrupted.abort(new UsageError("interrupted"));
  process.once("SIGINT", interrupt);
  try {
    const planner = createPlanner({
      client: createClient(readingOnly(transport), { fieldManager: "gatewright-plan" }),
      kinds: ALL_KINDS,
      clock: systemClock,
      random: systemRandom,
      send: http.send,
      ...awsSurroundings(env, cluster.kubeconfig, http.send),
    });
    const placed = objects.map((object) => within(object, namespace ?? config.namespace ?? "default"));
    const forecasts = await planner.plan(placed, what, interrupted.signal);
    process.stdout.write(planText(forecasts, color ? terminalPaint : plainPaint));
    return planExitCode(forecasts);
  } finally {
    process.off("SIGINT", interrupt);
    http.close();
    transport.close();
  }
}

function within(object: KubeObject, namespace: string): KubeObject {
  return object.metadata.namespace === undefined ? { ...object, metadata: { ...object.metadata, namespace } } : object;
}

/** What a person can do something about, in words for them. */
function isTold(error: unknown): error is Error {
  return (
    error instanceof UsageError ||
    error instanceof KubeconfigError ||
    error instanceof StatusError ||
    error instanceof TransportError
  );
}

function readOptions(args: readonly string[], env: NodeJS.ProcessEnv): PlanOptions | "help" {
  let values;
  try {
    ({ values } = parseArgs({
      args: [...args],
      options: {
        filename: { type: "string", short: "f", multiple: true },
        namespace: { type: "string", short: "n" },
        delete: { type: "boolean" },
        "no-color": { type: "boolean" },
        ...CLUSTER_FLAGS,
        help: { type: "boolean", short: "h" },
      },
    }));
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}`);
  }
  if (values.help === true) return "help";
  if (values.filename === undefined) throw new UsageError(`expected -f FILE\n\n${HELP}`);
  const quiet = values["no-color"] === true || (env["NO_COLOR"] ?? "") !== "" || env["TERM"] === "dumb";
  return {
    files: values.filename,
    namespace: values.namespace,
    what: values.delete === true ? "delete" : "apply",
    color: process.stdout.isTTY && !quiet,
    cluster: chosenCluster(values),
  };
}
