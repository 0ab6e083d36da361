import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { ENVOY_VERSION } from "../../testbed/envoy/envoy-binary.ts";
import { cacheFolder } from "../../testbed/folders.ts";
import { pause } from "../load.ts";
import { haproxyConfig, nginxConfig, ourObjects, ourSettings } from "./configs.ts";
import type { Where } from "./configs.ts";
import { envoyConfig } from "./envoy-config.ts";
import { NPM_PROXIES, npmProxies } from "./npm-proxies.ts";
import { CALL, grpcMessage } from "./scenario.ts";
import type { Scenario } from "./scenario.ts";
import { CORES, freePort, has, startOn } from "./tools.ts";

/** A proxy that runs. */
export interface Proxy {
  readonly name: string;
  readonly port: number;
  /** The process that does the work. */
  readonly pid: number;
  stop(): Promise<void>;
}

/** One kind of proxy. */
export interface ProxyKind {
  readonly name: string;
  /** Why it cannot be measured here. */
  readonly missing?: string;
  /** It is of Node, and has no way for calls of gRPC. */
  readonly onNode?: true;
  start(scenario: Scenario, where: Where): Promise<Proxy>;
}

const SCRIPTS = import.meta.dirname;

/** Ours first; the others are what it is compared with. */
export function proxyKinds(): readonly ProxyKind[] {
  return [
    { name: "ours", start: (scenario, where) => startOurs(scenario, where) },
    {
      name: "nginx",
      ...(!has("nginx") && { missing: "nginx is not installed (Debian: nginx)" }),
      start: (scenario, where) => startNginx(scenario, where),
    },
    {
      name: "haproxy",
      ...(!has("haproxy") && { missing: "haproxy is not installed (Debian: haproxy)" }),
      start: (scenario, where) => startHaproxy(scenario, where),
    },
    envoyKind(knownEnvoy()),
    {
      name: "node:http",
      onNode: true,
      start: (scenario, where) => startPlain(scenario, where),
    },
    ...npmKinds(),
  ];
}

/** Envoy by its program; without one it is missing. */
export function envoyKind(program: string | undefined): ProxyKind {
  return {
    name: "envoy",
    ...(program === undefined && { missing: "the test bed has not fetched it (npm run testbed -- up envoy)" }),
    start: (scenario, where) => startEnvoy(program ?? "", scenario, where),
  };
}

function knownEnvoy(): string | undefined {
  const program = join(cacheFolder(`envoy-${ENVOY_VERSION}`), "envoy");
  return existsSync(program) ? program : undefined;
}

function npmKinds(): readonly ProxyKind[] {
  const found = npmProxies();
  return NPM_PROXIES.map((name) => ({
    name,
    onNode: true,
    ...("missing" in found && found),
    async start({ tls }, where) {
      const port = await freePort();
      const pair = tls ? [where.certFile, where.keyFile] : [];
      const folder = "missing" in found ? "" : found.folder;
      const args = [join(SCRIPTS, "npm-proxy.ts"), folder, name, String(port), String(where.backendPort), ...pair];
      return running(name, startOn(CORES.measured, process.execPath, args), port);
    },
  }));
}

/** The backend of all: nginx where there is one, else a server of a few lines. It is never what is measured. */
export async function startBackend(folder: string): Promise<Proxy> {
  const port = await freePort();
  if (has("nginx")) {
    const own = join(folder, "backend");
    mkdirSync(own, { recursive: true });
    const file = join(own, "nginx.conf");
    const text = "x".repeat(100);
    writeFileSync(file, nginxConfig(own, `server { listen 127.0.0.1:${port}; return 200 ${text}; }`));
    const child = startOn(CORES.around, "nginx", ["-c", file, "-p", own, "-e", join(own, "error.log")]);
    return running("backend", child, port, async () => workerOf(child));
  }
  const child = startOn(CORES.around, process.execPath, [join(SCRIPTS, "backend.ts"), String(port)]);
  return running("backend", child, port);
}

/** The backend of calls: nginx, with a message from a file. Undefined: there is no nginx. */
export async function startGreeter(folder: string): Promise<Proxy | undefined> {
  if (!has("nginx")) return undefined;
  const port = await freePort();
  const own = join(folder, "greeter");
  const [, service = "", method = ""] = CALL.split("/");
  mkdirSync(join(own, service), { recursive: true });
  writeFileSync(join(own, service, method), grpcMessage());
  const file = join(own, "nginx.conf");
  writeFileSync(file, nginxConfig(own, nginxConfig.greeter(own, port)));
  const child = startOn(CORES.around, "nginx", ["-c", file, "-p", own, "-e", join(own, "error.log")]);
  return running("greeter", child, port, async () => workerOf(child));
}

async function startOurs(scenario: Scenario, where: Where): Promise<Proxy> {
  const port = await freePort();
  const folder = join(where.folder, "ours");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "settings.json"), ourSettings(scenario, where, port));
  writeFileSync(join(folder, "objects.json"), ourObjects(scenario, where));
  // As the gateway's own command does.
  const args = ["--max-semi-space-size=32", join(SCRIPTS, "gateway-process.ts"), join(folder, "settings.json")];
  return running("ours", startOn(CORES.measured, process.execPath, args), port);
}

async function startNginx(scenario: Scenario, where: Where): Promise<Proxy> {
  const port = await freePort();
  const folder = join(where.folder, "nginx");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "nginx.conf");
  writeFileSync(file, nginxConfig(folder, nginxConfig.proxy(scenario, where, port)));
  const child = startOn(CORES.measured, "nginx", ["-c", file, "-p", folder, "-e", join(folder, "error.log")]);
  return running("nginx", child, port, async () => workerOf(child));
}

async function startHaproxy(scenario: Scenario, where: Where): Promise<Proxy> {
  const port = await freePort();
  const folder = join(where.folder, "haproxy");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "haproxy.cfg");
  for (const [name, text] of haproxyConfig(scenario, where, port, folder)) writeFileSync(join(folder, name), text);
  return running("haproxy", startOn(CORES.measured, "haproxy", ["-db", "-f", file]), port);
}

async function startEnvoy(program: string, scenario: Scenario, where: Where): Promise<Proxy> {
  const port = await freePort();
  const folder = join(where.folder, "envoy");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "envoy.json");
  writeFileSync(file, envoyConfig(scenario, where, port));
  const args = ["-c", file, "--concurrency", "1", "--use-dynamic-base-id", "--log-level", "error"];
  return running("envoy", startOn(CORES.measured, program, args), port);
}

async function startPlain({ tls }: Scenario, where: Where): Promise<Proxy> {
  const port = await freePort();
  const pair = tls ? [where.certFile, where.keyFile] : [];
  const args = [join(SCRIPTS, "plain-proxy.ts"), String(port), String(where.backendPort), ...pair];
  return running("node:http", startOn(CORES.measured, process.execPath, args), port);
}

/** Waits until a program answers at a port. `worker`: the process that does the work, where it is another. */
export async function running(
  name: string,
  child: ChildProcess,
  port: number,
  worker?: () => Promise<number>,
): Promise<Proxy> {
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode} before it served`);
    await pause(20);
  }
  return {
    name,
    port,
    pid: worker === undefined ? (child.pid ?? 0) : await worker(),
    async stop() {
      const ended = once(child, "close");
      child.kill();
      await ended;
    },
  };
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** The one process that nginx's first process has made. */
async function workerOf({ pid }: ChildProcess): Promise<number> {
  for (;;) {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
    if (children !== "") return Number(children.split(" ")[0]);
    await pause(20);
  }
}
