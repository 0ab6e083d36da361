import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execFile } from "node:child_process";
import { createClient } from "@gatewright/runtime";
import type { Client } from "@gatewright/runtime";

/** What an API server answers: a code, and the body. */
export type Answering = (method: string, path: string) => readonly [code: number, body: object];

/** A Status that refuses. */
export function refusing(code: number, reason: string, message: string): readonly [number, object] {
  return [code, { kind: "Status", apiVersion: "v1", status: "Failure", code, reason, message }];
}

/** A client of a server that answers so. */
export function answeringClient(answer: Answering): Client {
  return createClient(
    async ({ method, path }) => {
      const [status, body] = answer(method, path);
      const bytes = Buffer.from(JSON.stringify(body));
      const headers = { "content-type": "application/json" };
      return {
        status,
        headers,
        body: (async function* () {
          yield bytes;
        })(),
      };
    },
    { fieldManager: "test" },
  );
}

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command with a server that answers so; namespace `shop` is that of the context. */
export async function gatewrightWith(answer: Answering, args: readonly string[], stdin = ""): Promise<Outcome> {
  const server = createServer(({ method = "", url = "" }, response) => {
    const [status, body] = answer(method, url);
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const folder = mkdtempSync(join(tmpdir(), "gatewright-answering-"));
  try {
    const { port } = server.address() as AddressInfo;
    const kubeconfig = join(folder, "kubeconfig");
    const config = {
      apiVersion: "v1",
      kind: "Config",
      clusters: [{ name: "x", cluster: { server: `http://127.0.0.1:${port}` } }],
      users: [{ name: "x", user: { token: "old" } }],
      contexts: [{ name: "x", context: { cluster: "x", user: "x", namespace: "shop" } }],
      "current-context": "x",
    };
    writeFileSync(kubeconfig, JSON.stringify(config));
    return await commanded(args, { ...process.env, KUBECONFIG: kubeconfig }, stdin);
  } finally {
    server.close();
    server.closeAllConnections();
    rmSync(folder, { recursive: true, force: true });
  }
}

function commanded(args: readonly string[], env: NodeJS.ProcessEnv, stdin: string): Promise<Outcome> {
  const main = join(import.meta.dirname, "..", "main.cjs");
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [main, ...args], { env, timeout: 60_000 }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
    child.stdin?.end(stdin);
  });
}
