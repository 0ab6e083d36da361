import { createServer } from "node:http";
import { Flags } from "./flags.ts";
import { untilSignal } from "./until-signal.ts";

const HELP = `Usage: etcd [FLAGS]

Answers the health checks of envtest. The data is kept by kube-apiserver, which needs no etcd here.

  --listen-client-urls URL   where to answer
  --unsafe-no-fsync          taken and ignored, like all other flags of etcd
`;

/** Stands where envtest expects etcd: answers on its health endpoint and stores nothing. */
export async function envtestEtcd(args: readonly string[]): Promise<number> {
  const flags = new Flags(args);
  if (flags.has("help")) {
    process.stdout.write(HELP);
    return 0;
  }
  const { hostname, port } = new URL(flags.get("listen-client-urls") ?? "http://127.0.0.1:2379");
  const server = createServer((_request, response) => {
    response.setHeader("content-type", "application/json");
    response.end('{"health":"true","reason":""}');
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(Number(port), hostname, resolve);
  });
  await untilSignal();
  server.closeAllConnections();
  server.close();
  return 0;
}
