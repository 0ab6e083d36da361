import { resolve } from "node:path";
import { parseArgs } from "node:util";
import type { ServerLog } from "@gatewright/apiserver";
import { logLinesFrom } from "../log-line.ts";
import { UsageError } from "../usage-error.ts";
import { Home } from "./home.ts";

export const UP_HELP = `Usage: gatewright up [OPTIONS]

Runs a cluster and its cloud on this machine until it is interrupted: a Kubernetes API server, AWS, a node that runs pods, the
controllers, a gateway and a console.

  --port PORT      where to serve: 3000, or PORT from the environment; 0 picks free ones, for all else too
  --aws-port PORT  where to serve AWS: 4566
  --dns-port PORT  where to serve DNS: 1053
  --gateway-port PORT
                   where routes (avapigw.io) and Ingresses are served: 8080
  --grpc-port PORT where the same are served to clients of gRPC: 9000
  --zone ID=NAME   a Route 53 zone that is there from the start; may be repeated. A1231313=opendi.com without any
  --host ADDRESS   127.0.0.1; any other address needs --tls
  --data FOLDER    data, keys and kubeconfig: .gatewright, or GATEWRIGHT_HOME from the environment; --home is the same
  --ephemeral      keep nothing: all data is in memory and ends with the process
  --tls            serve HTTPS with a certificate of this world's own authority; callers then need the token in the
                   kubeconfig
  --bare           the API server alone: nothing runs pods, and there is no AWS
  --log-level LEVEL
                   what is told on stderr: info, warn or error; warn
  --images FILE    which images are commands of this machine (docs/pods.md); takes --allow-host-processes
  --allow-host-processes
                   lets whoever makes pods on this machine start those commands; not with --tls

Then, in another terminal:

  export KUBECONFIG=.gatewright/kubeconfig
  kubectl get namespaces
`;

/** What `gatewright up` runs with. */
export interface UpOptions {
  readonly port: number;
  readonly host: string;
  readonly home: Home;
  readonly ephemeral: boolean;
  readonly tls: boolean;
  readonly bare: boolean;
  readonly awsPort: number;
  readonly dnsPort: number;
  readonly gatewayPort: number;
  readonly grpcPort: number;
  readonly log: ServerLog;
  /** Names of hosted zones by their ids. */
  readonly zones: ReadonlyMap<string, string>;
  /** The file that maps images to commands. */
  readonly images: string | undefined;
}

/** Reads the command line and the environment. Throws a {@link UsageError} that says what to write. */
export function readUpOptions(args: readonly string[], env: NodeJS.ProcessEnv): UpOptions | "help" {
  let values;
  try {
    ({ values } = parseArgs({
      args: [...args],
      options: {
        port: { type: "string" },
        host: { type: "string" },
        data: { type: "string" },
        home: { type: "string" },
        ephemeral: { type: "boolean" },
        tls: { type: "boolean" },
        bare: { type: "boolean" },
        images: { type: "string" },
        "allow-host-processes": { type: "boolean" },
        "aws-port": { type: "string" },
        "dns-port": { type: "string" },
        "gateway-port": { type: "string" },
        "grpc-port": { type: "string" },
        "log-level": { type: "string", default: "warn" },
        zone: { type: "string", multiple: true },
        help: { type: "boolean", short: "h" },
      },
    }));
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n\n${UP_HELP}`);
  }
  if (values.help === true) return "help";
  const port = portNumber("--port", values.port ?? said(env["PORT"]) ?? "3000");
  if ((values.images !== undefined) !== (values["allow-host-processes"] === true)) {
    throw new UsageError("--images and --allow-host-processes go together");
  }
  if (values.data !== undefined && values.home !== undefined) {
    throw new UsageError("--data and --home are the same: give one of them");
  }
  const folder = values.data ?? values.home;
  if (folder === "") throw new UsageError("--data takes a folder, not nothing");
  const log = logLinesFrom(values["log-level"]);
  if (log === undefined)
    throw new UsageError(`--log-level is info, warn or error, not ${JSON.stringify(values["log-level"])}`);
  const others = (flag: "aws-port" | "dns-port" | "gateway-port" | "grpc-port", usual: string): number =>
    portNumber(`--${flag}`, values[flag] ?? (port === 0 ? "0" : usual));
  return {
    port,
    host: values.host ?? "127.0.0.1",
    home: new Home(resolve(folder ?? said(env["GATEWRIGHT_HOME"]) ?? ".gatewright")),
    ephemeral: values.ephemeral === true,
    tls: values.tls === true,
    bare: values.bare === true,
    awsPort: others("aws-port", "4566"),
    dnsPort: others("dns-port", "1053"),
    gatewayPort: others("gateway-port", "8080"),
    grpcPort: others("grpc-port", "9000"),
    log,
    zones: zonesOf(values.zone ?? [SAMPLE_ZONE]),
    images: values.images,
  };
}

/** A variable that is set to nothing says nothing. */
function said(value: string | undefined): string | undefined {
  return value === "" ? undefined : value;
}

/** Whether it stands for all addresses of the machine. */
export function isEverywhere(host: string): boolean {
  return /^[0.:]+$/.test(host);
}

/** The zone of the examples. */
const SAMPLE_ZONE = "A1231313=opendi.com";
const ZONE =
  /^([A-Za-z0-9]{1,32})=([a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?)*\.?)$/;

function zonesOf(texts: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    texts.map((text) => {
      const [, id, name] = ZONE.exec(text) ?? [];
      if (id === undefined || name === undefined)
        throw new UsageError(`--zone takes ID=NAME, such as ${SAMPLE_ZONE}, not ${JSON.stringify(text)}`);
      return [id, name];
    }),
  );
}

function portNumber(flag: string, text: string): number {
  if (/^[0-9]{1,5}$/.test(text) && Number(text) <= 65535) return Number(text);
  throw new UsageError(`${flag} takes a number up to 65535, not ${JSON.stringify(text)}`);
}
