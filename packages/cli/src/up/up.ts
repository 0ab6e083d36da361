import { isIP } from "node:net";
import { relative } from "node:path";
import { bindingAllowed, createApiServer, createSigningKey, kubeconfigFor, openDiskStore } from "@gatewright/apiserver";
import type { ApiServer, ApiServerOptions, Listener, ListenOptions, Store } from "@gatewright/apiserver";
import type { Laptop } from "@gatewright/laptop";
import { randomString, systemClock, systemRandom } from "@gatewright/ports";
import { StoreFileError, StoreUnavailable } from "@gatewright/store";
import type { CommandContext } from "../run.ts";
import { untilSignal } from "../until-signal.ts";
import { UsageError } from "../usage-error.ts";
import { greeting } from "./greeting.ts";
import type { Served } from "./greeting.ts";
import type { Home } from "./home.ts";
import { servingCertificate } from "./serving-certificate.ts";
import { isEverywhere, readUpOptions, UP_HELP } from "./up-options.ts";
import type { UpOptions } from "./up-options.ts";

/** What runs, apart from the socket that the API is served on. */
interface World {
  readonly server: ApiServer;
  /** What the user can use beside the API. */
  readonly also: readonly Served[];
  /** Authorities by which clients know what is served beside the API. */
  readonly authorities: readonly string[];
  readonly tries: readonly string[];
  close(): Promise<void>;
}

/** Runs the local world until SIGTERM or SIGINT. */
export async function up(args: readonly string[], { env, root }: CommandContext): Promise<number> {
  const options = readUpOptions(args, env);
  if (options === "help") {
    process.stdout.write(UP_HELP);
    return 0;
  }
  const refused = bindingAllowed({ address: options.host, tls: options.tls, authentication: options.tls });
  if (refused !== undefined) throw new UsageError(`${refused} (--tls does both)`);
  const { home } = options;
  await using _lock = await onDisk(home, async () => {
    home.prepare();
    return home.lock();
  });
  const { listener, world } = await onDisk(home, () => start(options, root));
  const config = `export KUBECONFIG=${shown(home.path("kubeconfig"))}`;
  const served: readonly Served[] = [
    { what: "Kubernetes", where: listener.url, how: config },
    ...(options.bare ? [] : [{ what: "Console", where: `${listener.url}/console/`, how: "in a browser" }]),
    ...world.also,
    options.ephemeral
      ? { what: "Data", where: "in memory", how: "ends with this process" }
      : { what: "Data", where: shown(home.folder) },
  ];
  process.stdout.write(greeting(served, [config, ...world.tries]));
  await untilSignal();
  await listener.close();
  await world.close();
  return 0;
}

interface Started {
  readonly listener: Listener;
  readonly world: World;
}

async function start(options: UpOptions, root: string): Promise<Started> {
  const { home, host, port } = options;
  const store = options.ephemeral ? undefined : await openStore(options);
  const secured = options.tls ? await secure(home, host) : undefined;
  const server: ServerOptions = {
    ...(store && { store }),
    serviceAccounts: { keys: [signingKey(home)] },
    advertise: { address: isReachable(options) ? host : "127.0.0.1", port },
    ...secured?.server,
  };
  const world = options.bare ? await bareWorld(server, options) : await wholeWorld(server, options, root);
  const listener = await listening(
    world.server.listen({ host, port, ...(secured && { tls: secured.tls }) }),
    host,
    port,
    "--port",
  ).catch(async (error: unknown) => {
    await world.close();
    throw error;
  });
  home.write("kubeconfig", kubeconfigFor({ server: listener.url, ...secured?.client }));
  const authorities = [...(secured ? [secured.client.ca] : []), ...world.authorities];
  if (authorities.length > 0) home.write("ca.crt", authorities.join(""));
  return { listener, world };
}

/** Whether endpoints can name where the server is: by one address, at a port that is known before it listens. */
function isReachable({ host, port }: UpOptions): boolean {
  return isIP(host) !== 0 && !isEverywhere(host) && port !== 0;
}

type ServerOptions = Omit<ApiServerOptions, "clock" | "random" | "log" | "nodes" | "paths" | "forgiving" | "checks">;

async function bareWorld(options: ServerOptions, { log }: UpOptions): Promise<World> {
  const server = await createApiServer({ ...options, log });
  return { server, also: [], authorities: [], tries: ["kubectl get namespaces"], close: () => server.close() };
}

async function wholeWorld(server: ServerOptions, options: UpOptions, root: string): Promise<World> {
  const { home, host, ephemeral, awsPort, dnsPort, gatewayPort, grpcPort, zones, images } = options;
  if (images !== undefined && ephemeral) throw new UsageError("--images cannot go with --ephemeral");
  // Whoever wants the API server alone does not pay for loading the rest.
  const { HostProcessesRefusedError, ImageCommandsError, startLaptop } = await import("@gatewright/laptop");
  const laptop = await listening(
    startLaptop({
      clock: systemClock,
      random: systemRandom,
      log: options.log,
      ...(!ephemeral && { folder: home.folder }),
      server,
      cloud: { api: { port: awsPort }, dns: { port: dnsPort } },
      gateway: { port: gatewayPort, grpcPort },
      console: { root },
      zones,
      ...(images !== undefined && { hostProcesses: images }),
    }).catch((error: unknown) => {
      const told = error instanceof ImageCommandsError || error instanceof HostProcessesRefusedError;
      throw told ? new UsageError(error.message) : error;
    }),
    host,
    awsPort,
    "--aws-port, --dns-port, --gateway-port or --grpc-port",
  );
  const { url, dns } = laptop.cloud;
  home.write("aws.env", awsEnvironment(url));
  const known = Array.from(zones, ([id, name]) => `${name} is zone ${id}`);
  return {
    server: laptop.server,
    also: [
      { what: "AWS", where: url, how: `. ${shown(home.path("aws.env"))}` },
      { what: "DNS", where: `${dns.host}:${dns.port}`, how: known.join(", ") },
      ...gatewayServed(laptop),
    ],
    authorities: [await laptop.cloud.caCertificate()],
    tries: [
      "kubectl apply -f examples/store.yaml",
      "npx gatewright why --wait application/store -n store",
      "npx gatewright try https://store.opendi.com/hello",
    ],
    close: () => laptop.close(),
  };
}

function gatewayServed({ gateway }: Laptop): readonly Served[] {
  if (gateway === undefined) return [];
  const { url, grpc, admin } = gateway;
  return [{ what: "Gateway", where: url, how: `routes and Ingresses; gRPC at ${grpc}, admin at ${admin}` }];
}

/** A path as a user would type it here. */
function shown(path: string): string {
  const short = relative("", path);
  return short === "" || short.startsWith("..") ? path : short;
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

function openStore({ home, log }: UpOptions): Promise<Store> {
  return openDiskStore({
    directory: home.path("data"),
    clock: systemClock,
    log: (message, fields) => log("warn", message, fields),
  });
}

/** Does something that needs the folder. One that cannot be used is told, with what is wrong with it. */
async function onDisk<T>({ folder }: Home, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StoreFileError || error instanceof StoreUnavailable) throw new UsageError(error.message);
    if (!(error instanceof Error) || !("syscall" in error)) throw error;
    throw new UsageError(`${folder} cannot be used: ${error.message}. Choose another folder with --data`);
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

const SOCKET_CALLS: ReadonlySet<unknown> = new Set(["bind", "getaddrinfo", "listen"]);

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
    const isOfSocket = error instanceof Error && "syscall" in error && SOCKET_CALLS.has(error.syscall);
    if (isOfSocket) throw new UsageError(`cannot listen on ${host} port ${taken}: ${String(code)}`);
    throw error;
  }
}
