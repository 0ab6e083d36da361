import { readFile } from "node:fs/promises";
import { createAws, createHttpSend, CredentialsError } from "@gatewright/aws";
import type { Aws, HttpSend } from "@gatewright/aws";
import { StatusError } from "@gatewright/kube";
import { awsIdentity, examineCluster } from "@gatewright/operator";
import type { InstallSettings } from "@gatewright/operator";
import { keepAlive, systemClock, systemRandom } from "@gatewright/ports";
import { createClient, KubeconfigError, loadTransport, TransportError } from "@gatewright/runtime";
import { CLUSTER_FLAGS, CLUSTER_HELP, chosenCluster } from "../cluster/cluster-flags.ts";
import type { ChosenCluster } from "../cluster/cluster-flags.ts";
import { EXIT } from "../cluster/exit-codes.ts";
import { readFlagsAlone } from "../cluster/read-flags.ts";
import type { CommandContext } from "../run.ts";
import { chosenPaint } from "../screen/paint.ts";
import { UsageError } from "../usage-error.ts";
import { findingsText } from "./findings-text.ts";
import { INSTALL_HELP, INSTALL_OPTIONS, installSettings } from "./install-options.ts";

const HELP = `Usage: gatewright doctor [OPTIONS]

Looks whether a cluster has what the parts chosen need: its version, kinds, the AWS Load Balancer Controller, your rights to install,
the operator's rights, others that look after the same objects, and AWS as your environment knows it (AWS_REGION, AWS_ACCESS_KEY_ID …).
Nothing is changed.

  -o, --output FORMAT        text or json; text without it
  --gateway-aws-version V    v1 or v1beta1, as the operator is told; default: v1
${INSTALL_HELP}  --no-color                 also without it: no colours unless a terminal is looking, nor with NO_COLOR
${CLUSTER_HELP}
Exit code: 0 nothing fails (there may be warnings), 1 something does, 2 the command line is wrong, 3 it could not be asked.
`;

const FLAGS = {
  ...INSTALL_OPTIONS,
  ...CLUSTER_FLAGS,
  "gateway-aws-version": { type: "string" },
  output: { type: "string", short: "o" },
  "no-color": { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

interface DoctorOptions {
  readonly settings: InstallSettings & { readonly gatewayAwsVersion: "v1" | "v1beta1" };
  readonly output: "text" | "json";
  readonly color: boolean;
  readonly cluster: ChosenCluster;
}

/** Tells whether a cluster is fit for the operator. */
export async function doctor(args: readonly string[], { env }: CommandContext): Promise<number> {
  const options = readOptions(args);
  if (options === "help") {
    process.stdout.write(HELP);
    return EXIT.ok;
  }
  const { settings, output, color, cluster } = options;
  const http = createHttpSend();
  try {
    const { transport } = await loadTransport({ env, ...cluster });
    using _alive = keepAlive();
    const client = createClient(transport, { fieldManager: "gatewright" });
    const aws = awsOf(env, http);
    try {
      const signal = new AbortController().signal;
      const findings = await examineCluster({ client, settings, aws, clock: systemClock }, signal);
      const paint = chosenPaint(env, process.stdout.isTTY, !color);
      process.stdout.write(
        output === "json" ? `${JSON.stringify(findings, undefined, 2)}\n` : findingsText(findings, paint),
      );
      return findings.some(({ verdict }) => verdict === "fail") ? EXIT.notLive : EXIT.ok;
    } finally {
      transport.close();
    }
  } catch (error) {
    if (error instanceof KubeconfigError) throw new UsageError(error.message);
    if (!(error instanceof StatusError) && !(error instanceof TransportError)) throw error;
    process.stderr.write(`gatewright doctor: ${error.message}\n`);
    return EXIT.unknown;
  } finally {
    http.close();
  }
}

/** AWS as who installs sees it. */
function awsOf(env: NodeJS.ProcessEnv, { send }: HttpSend): Aws | undefined {
  const region = env["AWS_REGION"] ?? env["AWS_DEFAULT_REGION"];
  const endpoint = env["AWS_ENDPOINT_URL"];
  if (region === undefined || region === "") return undefined;
  const ports = { clock: systemClock, random: systemRandom, send };
  const where = { region, endpoint: endpoint === "" ? undefined : endpoint, otherRegions: [] };
  try {
    const { credentials } = awsIdentity(where, {
      ...ports,
      environment: env,
      readFile: (path) => readFile(path, "utf8"),
    });
    if (credentials === undefined) return undefined;
    return createAws({
      ...ports,
      region,
      credentials,
      ...(where.endpoint !== undefined && { endpoint: where.endpoint }),
    });
  } catch (error) {
    throw error instanceof CredentialsError ? new UsageError(`${error.message}. ${error.remedy}`) : error;
  }
}

function readOptions(args: readonly string[]): DoctorOptions | "help" {
  const { values } = readFlagsAlone(args, FLAGS, HELP);
  if (values.help === true) return "help";
  const output = (["text", "json"] as const).find((format) => format === (values.output ?? "text"));
  if (output === undefined) throw new UsageError("--output is one of text, json");
  const version = values["gateway-aws-version"] ?? "v1";
  if (version !== "v1" && version !== "v1beta1") throw new UsageError("--gateway-aws-version is one of v1, v1beta1");
  return {
    settings: { ...installSettings(values), gatewayAwsVersion: version },
    output,
    color: values["no-color"] !== true,
    cluster: chosenCluster(values),
  };
}
