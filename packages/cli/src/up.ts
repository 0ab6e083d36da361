import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { bindingAllowed, createApiServer, createSigningKey, kubeconfigFor, openDiskStore } from "@gatewright/apiserver";
import type { ApiServerOptions, ListenOptions, Store } from "@gatewright/apiserver";
import { randomString, systemClock, systemRandom } from "@gatewright/ports";
import { Home } from "./home.ts";
import { logLine } from "./log-line.ts";
import type { CommandContext } from "./run.ts";
import { servingCertificate } from "./serving-certificate.ts";
import { untilSignal } from "./until-signal.ts";
import { UsageError } from "./usage-error.ts";

const HELP = `Usage: gatewright up [OPTIONS]

Runs a Kubernetes API server on this machine, until it is interrupted.

  --port PORT      where to serve: 3000, or PORT from the environment; 0 picks a free one
  --host ADDRESS   127.0.0.1; any other address needs --tls
  --home FOLDER    data, keys and kubeconfig: .gatewright, or GATEWRIGHT_HOME from the environment
  --ephemeral      keep nothing: all data is in memory and ends with the process
  --tls            serve HTTPS with a certificate of this world's own authority; callers then need the token in the
                   kubeconfig

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
  const server = await createApiServer({
    log: logLine,
    ...(store && { store }),
    serviceAccounts: { keys: [signingKey(home)] },
    advertise: { address: options.host, port: options.port },
    ...secured?.server,
  });
  const listener = await listening(
    server.listen({ host: options.host, port: options.port, ...(secured && { tls: secured.tls }) }),
    options,
  );
  home.write("kubeconfig", kubeconfigFor({ server: listener.url, ...secured?.client }));
  process.stdout.write(greeting(listener.url, home, options.ephemeral));
  await untilSignal();
  await listener.close();
  await server.close();
  return 0;
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
        help: { type: "boolean", short: "h" },
      },
    }));
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}`);
  }
  if (values.help === true) return "help";
  const port = values.port ?? env["PORT"] ?? "3000";
  if (!/^[0-9]{1,5}$/.test(port) || Number(port) > 65535)
    throw new UsageError(`--port takes a number up to 65535, not ${JSON.stringify(port)}`);
  return {
    port: Number(port),
    host: values.host ?? "127.0.0.1",
    home: new Home(resolve(values.home ?? env["GATEWRIGHT_HOME"] ?? ".gatewright")),
    ephemeral: values.ephemeral === true,
    tls: values.tls === true,
  };
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

async function listening<T>(started: Promise<T>, options: UpOptions): Promise<T> {
  try {
    return await started;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    if (code === "EADDRINUSE") {
      throw new UsageError(`port ${options.port} is taken; choose another with --port, or 0 for any`);
    }
    if (code === "EACCES" || code === "EADDRNOTAVAIL") {
      throw new UsageError(`cannot listen on ${options.host} port ${options.port}: ${code}`);
    }
    throw error;
  }
}

function greeting(url: string, home: Home, ephemeral: boolean): string {
  return [
    `Gatewright serves Kubernetes at ${url}`,
    ephemeral ? "Nothing is kept: all data ends with this process." : `Data is in ${home.folder}`,
    "",
    `  export KUBECONFIG=${home.path("kubeconfig")}`,
    "  kubectl get namespaces",
    "",
  ].join("\n");
}
