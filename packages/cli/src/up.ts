import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { bindingAllowed, createApiServer, createSigningKey, kubeconfigFor, openDiskStore } from "@gatewright/apiserver";
import type { ApiServer, ApiServerOptions, ListenOptions, Store } from "@gatewright/apiserver";
import { randomString, systemClock, systemRandom } from "@gatewright/ports";
import { Home } from "./home.ts";
import { logLine } from "./log-line.ts";
import type { CommandContext } from "./run.ts";
import { servingCertificate } from "./serving-certificate.ts";
import { untilSignal } from "./until-signal.ts";
import { UsageError } from "./usage-error.ts";

const HELP = `Usage: gatewright up [OPTIONS]

Runs a cluster and its cloud on this machine until it is interrupted: a Kubernetes API server, AWS, a node that runs pods, and
the controllers.

  --port PORT      where to serve: 3000, or PORT from the environment; 0 picks free ones, for AWS and DNS too
  --aws-port PORT  where to serve AWS: 4566
  --dns-port PORT  where to serve DNS: 1053
  --gateway-port PORT
                   where routes (avapigw.io) and Ingresses are served: 8080
  --zone ID=NAME   a Route 53 zone that is there from the start; may be repeated. A1231313=opendi.com without any
  --host ADDRESS   127.0.0.1; any other address needs --tls
  --home FOLDER    data, keys and kubeconfig: .gatewright, or GATEWRIGHT_HOME from the environment
  --ephemeral      keep nothing: all data is in memory and ends with the process
  --tls            serve HTTPS with a certificate of this world's own authority; callers then need the token in the
                   kubeconfig
  --bare           the API server alone: nothing runs pods, and there is no AWS
  --images FILE    which images are commands of this machine (docs/pods.md); takes --allow-host-processes
  --allow-host-processes
                   lets whoever makes pods on this machine start those commands; not with --tls

Then, in another terminal:

  export KUBECONFIG=.gatewright/kubeconfig
  kubectl get namespaces
`;

interface UpOptions {
  readonly port: number;
  readonly host: string;
  readonly home: Home;
  readonly ephemeral: boolean;
  readonly tls: boolean;
  readonly bare: boolean;
  readonly awsPort: number;
  readonly dnsPort: number;
  readonly gatewayPort: number;
  /** Names of hosted zones by their ids. */
  readonly zones: ReadonlyMap<string, string>;
  /** The file that maps images to commands. */
  readonly images: string | undefined;
}

/** What runs, apart from the socket that the API is served on. */
interface World {
  readonly server: ApiServer;
  /** What the user can use beside the API. */
  readonly also: readonly string[];
  close(): Promise<void>;
}

/** Runs the local world until SIGTERM or SIGINT. */
export async function up(args: readonly string[], { env }: CommandContext): Promise<number> {
  const options = readOptions(args, env);
  if (options === "help") {
    process.stdout.write(HELP);
    return 0;
  }
  const refused = bindingAllowed({ address: options.host, tls: options.tls, authentication: options.tls });
  if (refused !== undefined) throw new UsageError(`${refused} (--tls does both)`);
  const { home } = options;
  home.prepare();
  const store = options.ephemeral ? undefined : await openStore(home);
  const secured = options.tls ? await secure(home, options.host) : undefined;
  const server: ServerOptions = {
    ...(store && { store }),
    serviceAccounts: { keys: [signingKey(home)] },
    advertise: { address: options.host, port: options.port },
    ...secured?.server,
  };
  const world = options.bare ? await bareWorld(server) : await wholeWorld(server, options);
  const listener = await listening(
    world.server.listen({ host: options.host, port: options.port, ...(secured && { tls: secured.tls }) }),
    options.host,
    options.port,
    "--port",
  ).catch(async (error: unknown) => {
    await world.close();
    throw error;
  });
  home.write("kubeconfig", kubeconfigFor({ server: listener.url, ...secured?.client }));
  process.stdout.write(greeting(listener.url, home, options.ephemeral, world.also));
  await untilSignal();
  await listener.close();
  await world.close();
  return 0;
}

type ServerOptions = Omit<ApiServerOptions, "clock" | "random" | "log" | "nodes" | "paths" | "forgiving">;

async function bareWorld(options: ServerOptions): Promise<World> {
  const server = await createApiServer({ ...options, log: logLine });
  return { server, also: [], close: () => server.close() };
}

async function wholeWorld(server: ServerOptions, options: UpOptions): Promise<World> {
  const { home, host, ephemeral, awsPort, dnsPort, gatewayPort, zones, images } = options;
  if (images !== undefined && ephemeral) throw new UsageError("--images cannot go with --ephemeral");
  // Whoever wants the API server alone does not pay for loading the rest.
  const { HostProcessesRefusedError, ImageCommandsError, startLaptop } = await import("@gatewright/laptop");
  const laptop = await listening(
    startLaptop({
      clock: systemClock,
      random: systemRandom,
      log: logLine,
      ...(!ephemeral && { folder: home.folder }),
      server,
      cloud: { api: { port: awsPort }, dns: { port: dnsPort } },
      gateway: { port: gatewayPort },
      zones,
      ...(images !== undefined && { hostProcesses: images }),
    }).catch((error: unknown) => {
      const told = error instanceof ImageCommandsError || error instanceof HostProcessesRefusedError;
      throw told ? new UsageError(error.message) : error;
    }),
    host,
    awsPort,
    "--aws-port, --dns-port or --gateway-port",
  );
  const { url, dns } = laptop.cloud;
  home.write("aws-ca.crt", await laptop.cloud.caCertificate());
  home.write("aws.env", awsEnvironment(url));
  return {
    server: laptop.server,
    also: [
      `AWS is at ${url}: . ${home.path("aws.env")}`,
      `DNS is at ${dns.host}:${dns.port}`,
      `Routes and Ingresses are served at ${laptop.gateway?.url}`,
    ],
    close: () => laptop.close(),
  };
}

/** What the `aws` command needs to reach this world instead of the real one. */
function awsEnvironment(url: string): string {
  const values = {
    AWS_ENDPOINT_URL: url,
    AWS_ACCESS_KEY_ID: "test",
    AWS_SECRET_ACCESS_KEY: "test",
    AWS_REGION: "us-east-1",
    AWS_DEFAULT_REGION: "us-east-1",
  };
  return Object.entries(values)
    .map(([name, value]) => `export ${name}=${value}\n`)
    .join("");
}

function readOptions(args: readonly string[], env: NodeJS.ProcessEnv): UpOptions | "help" {
  let values;
  try {
    ({ values } = parseArgs({
      args: [...args],
      options: {
        port: { type: "string" },
        host: { type: "string" },
        home: { type: "string" },
        ephemeral: { type: "boolean" },
        tls: { type: "boolean" },
        bare: { type: "boolean" },
        images: { type: "string" },
        "allow-host-processes": { type: "boolean" },
        "aws-port": { type: "string" },
        "dns-port": { type: "string" },
        "gateway-port": { type: "string" },
        zone: { type: "string", multiple: true },
        help: { type: "boolean", short: "h" },
      },
    }));
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}`);
  }
  if (values.help === true) return "help";
  const port = portNumber("--port", values.port ?? env["PORT"] ?? "3000");
  if ((values.images !== undefined) !== (values["allow-host-processes"] === true)) {
    throw new UsageError("--images and --allow-host-processes go together");
  }
  const others = (usual: string): string => (port === 0 ? "0" : usual);
  return {
    port,
    host: values.host ?? "127.0.0.1",
    home: new Home(resolve(values.home ?? env["GATEWRIGHT_HOME"] ?? ".gatewright")),
    ephemeral: values.ephemeral === true,
    tls: values.tls === true,
    bare: values.bare === true,
    awsPort: portNumber("--aws-port", values["aws-port"] ?? others("4566")),
    dnsPort: portNumber("--dns-port", values["dns-port"] ?? others("1053")),
    gatewayPort: portNumber("--gateway-port", values["gateway-port"] ?? others("8080")),
    zones: zonesOf(values.zone ?? [SAMPLE_ZONE]),
    images: values.images,
  };
}

/** The zone of the examples. */
const SAMPLE_ZONE = "A1231313=opendi.com";

function zonesOf(texts: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    texts.map((text) => {
      const [, id, name] = /^([A-Za-z0-9]{1,32})=([a-z0-9.-]+)$/.exec(text) ?? [];
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

async function openStore(home: Home): Promise<Store> {
  try {
    return await openDiskStore({
      directory: home.path("data"),
      clock: systemClock,
      log: (message, fields) => logLine("warn", message, fields),
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** Tokens of service accounts outlive a restart, so the key that signed them does. */
function signingKey(home: Home): string {
  const kept = home.read("service-account.key");
  if (kept !== undefined) return kept;
  const made = createSigningKey(systemRandom).toPem();
  home.write("service-account.key", made);
  return made;
}

const TOKEN_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

interface Secured {
  readonly tls: NonNullable<ListenOptions["tls"]>;
  readonly server: Pick<ApiServerOptions, "access" | "tokens" | "caBundle">;
  readonly client: { readonly ca: string; readonly token: string };
}

async function secure(home: Home, host: string): Promise<Secured> {
  const pair = await servingCertificate(home, host);
  let token = home.read("admin.token");
  if (token === undefined) {
    token = randomString(systemRandom, TOKEN_ALPHABET, 43);
    home.write("admin.token", token);
  }
  return {
    tls: { cert: pair.cert, key: pair.key, clientCa: pair.ca },
    server: {
      access: "required",
      tokens: [{ token, user: { username: "kubernetes-admin", groups: ["system:masters"] } }],
      caBundle: pair.ca,
    },
    client: { ca: pair.ca, token },
  };
}

/** The same, but a port that cannot be had is told with what to do about it. */
async function listening<T>(started: Promise<T>, host: string, port: number, flag: string): Promise<T> {
  try {
    return await started;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    const taken = error instanceof Error && "port" in error && typeof error.port === "number" ? error.port : port;
    if (code === "EADDRINUSE") {
      throw new UsageError(`port ${taken} is taken; choose another with ${flag}, or 0 for any`);
    }
    // The gateway says which port it is and what to do.
    if (code === "port_taken" && error instanceof Error) throw new UsageError(`${error.message} (--gateway-port)`);
    if (code === "EACCES" || code === "EADDRNOTAVAIL") {
      throw new UsageError(`cannot listen on ${host} port ${taken}: ${code}`);
    }
    throw error;
  }
}

function greeting(url: string, home: Home, ephemeral: boolean, also: readonly string[]): string {
  return [
    `Gatewright serves Kubernetes at ${url}`,
    ...also,
    ephemeral ? "Nothing is kept: all data ends with this process." : `Data is in ${home.folder}`,
    "",
    `  export KUBECONFIG=${home.path("kubeconfig")}`,
    "  kubectl get namespaces",
    "",
  ].join("\n");
}
