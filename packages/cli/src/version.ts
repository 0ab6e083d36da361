import { StatusError } from "@gatewright/kube";
import { keepAlive } from "@gatewright/ports";
import { createClient, KubeconfigError, loadTransport, TransportError } from "@gatewright/runtime";
import { ownVersion } from "./own-version.ts";
import { CLUSTER_FLAGS, CLUSTER_HELP, chosenCluster } from "./cluster/cluster-flags.ts";
import { EXIT } from "./cluster/exit-codes.ts";
import { readFlagsAlone } from "./cluster/read-flags.ts";
import type { CommandContext } from "./run.ts";
import { UsageError } from "./usage-error.ts";

const HELP = `Usage: gatewright version [OPTIONS]

Tells the version of this command, and that of the API server.

  --client              this command's alone
  -o, --output FORMAT   text or json; text without it
${CLUSTER_HELP}
Exit code: 0 told, 2 the command line is wrong, 3 the server could not be asked.
`;

const FLAGS = {
  ...CLUSTER_FLAGS,
  client: { type: "boolean" },
  output: { type: "string", short: "o" },
  help: { type: "boolean", short: "h" },
} as const;

interface Versions {
  readonly client: { readonly version: string; readonly node: string };
  readonly server?: { readonly version: string } | { readonly problem: string };
}

/** Tells versions. A server that cannot be asked does not keep the client's from being told. */
export async function version(args: readonly string[], { env, root }: CommandContext): Promise<number> {
  const { values } = readFlagsAlone(args, FLAGS, HELP);
  const { output = "text" } = values;
  if (values.help === true) {
    process.stdout.write(HELP);
    return EXIT.ok;
  }
  if (output !== "text" && output !== "json") throw new UsageError("--output is one of text, json");
  const versions: Versions = {
    client: { version: ownVersion(root), node: process.version },
    ...(values.client !== true && { server: await serverVersion({ env, ...chosenCluster(values) }) }),
  };
  process.stdout.write(output === "json" ? `${JSON.stringify(versions, undefined, 2)}\n` : textOf(versions));
  return versions.server !== undefined && "problem" in versions.server ? EXIT.unknown : EXIT.ok;
}

async function serverVersion(options: Parameters<typeof loadTransport>[0]): Promise<NonNullable<Versions["server"]>> {
  try {
    const { transport } = await loadTransport(options);
    using _alive = keepAlive();
    try {
      const { status, body } = await createClient(transport).request({ method: "GET", path: "/version" });
      const chunks: Uint8Array[] = [];
      for await (const chunk of body) chunks.push(chunk);
      if (status !== 200) return { problem: `/version answers ${status}` };
      const { gitVersion } = JSON.parse(Buffer.concat(chunks).toString()) as { readonly gitVersion: string };
      return { version: gitVersion };
    } finally {
      transport.close();
    }
  } catch (error) {
    const isTold = error instanceof KubeconfigError || error instanceof StatusError || error instanceof TransportError;
    if (!isTold) throw error;
    return { problem: error.message };
  }
}

function textOf({ client, server }: Versions): string {
  const lines = [`gatewright ${client.version} (Node ${client.node.replace(/^v/u, "")})`];
  if (server !== undefined)
    lines.push("version" in server ? `Kubernetes ${server.version}` : `Kubernetes: not known: ${server.problem}`);
  return `${lines.join("\n")}\n`;
}
