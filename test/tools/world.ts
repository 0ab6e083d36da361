import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createApiServer, createCertificateAuthority, kubeconfigFor } from "@gatewright/apiserver";
import type { ApiServer, ApiServerOptions, Listener } from "@gatewright/apiserver";
import { systemClock, systemRandom } from "@gatewright/ports";
import { run } from "./command.ts";
import type { CommandOptions, Outcome } from "./command.ts";
import type { Tools } from "./layer.ts";

/** A server of one's own on a free port, with a home folder for the clients that talk to it. */
export interface World extends AsyncDisposable {
  readonly server: ApiServer;
  readonly url: string;
  readonly folder: string;
  readonly kubeconfig: string;
  /** A kubeconfig that shows a token over TLS: kubectl shows none over plain HTTP. */
  kubeconfigWith(token: string): Promise<string>;
}

export async function startWorld(options: ApiServerOptions = {}): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), "gatewright-test-"));
  const server = await createApiServer(options);
  const listener = await server.listen({ host: "127.0.0.1", port: 0 });
  const kubeconfig = join(folder, "kubeconfig");
  writeFileSync(kubeconfig, kubeconfigFor({ server: listener.url }));
  const secure: Listener[] = [];
  return {
    server,
    url: listener.url,
    folder,
    kubeconfig,
    async kubeconfigWith(token) {
      const authority = await createCertificateAuthority({ clock: systemClock, random: systemRandom });
      const { certificate, key } = await authority.issueServing();
      const tls = await server.listen({ host: "127.0.0.1", port: 0, tls: { cert: certificate, key } });
      secure.push(tls);
      const path = join(folder, `kubeconfig-${secure.length}`);
      writeFileSync(path, kubeconfigFor({ server: tls.url, ca: authority.certificate, token }));
      return path;
    },
    async [Symbol.asyncDispose]() {
      for (const each of [listener, ...secure]) await each.close();
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export interface Client {
  /** Runs kubectl; a non-zero exit is an outcome, not an error. */
  kubectl(args: string, options?: CommandOptions): Promise<Outcome>;
  /** Runs kubectl that must succeed, and gives its output. */
  ok(args: string, stdin?: string): Promise<string>;
  helm(args: string, options?: CommandOptions): Promise<Outcome>;
}

/** Real clients that talk to the world. Arguments are split at spaces; quote with '' what holds some. */
export function clientOf(world: Pick<World, "folder" | "kubeconfig">, tools: Tools): Client {
  const env = { KUBECONFIG: world.kubeconfig, HOME: world.folder, KUBECACHEDIR: join(world.folder, "cache") };
  const start = (program: string, args: string, options: CommandOptions = {}): Promise<Outcome> =>
    run(program, split(args), { ...options, env: { ...env, ...options.env } });
  return {
    kubectl: (args, options) => start(tools.kubectl, args, options),
    helm: (args, options) => start(tools.helm, args, options),
    async ok(args, stdin) {
      const outcome = await start(tools.kubectl, args, stdin === undefined ? {} : { stdin });
      if (outcome.code !== 0)
        throw new Error(`kubectl ${args} ended with ${outcome.code}: ${outcome.stderr}${outcome.stdout}`);
      return outcome.stdout;
    },
  };
}

function split(args: string): string[] {
  return [...args.matchAll(/'([^']*)'|(\S+)/g)].map((match) => match[1] ?? match[2]!);
}
