import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";

/** A request as another server reads it. */
export interface SeenRequest {
  /** `METHOD target host body`. */
  readonly line: string;
  /** Names and values by turns, as they came. */
  readonly rawHeaders: readonly string[];
}

/** A server by Node's own strict parser, which tells what it reads: the other opinion. */
export interface EchoBackend {
  readonly port: number;
  /** Whole requests, in the order of their ends. */
  readonly seen: SeenRequest[];
  /** What it could not read. Whatever is forwarded, it has to stay empty. */
  readonly complaints: string[];
  close(): void;
}

/** A request that broke off with its client, and a method that is proper but not known to it. */
const HARMLESS: ReadonlySet<string> = new Set(["HPE_INVALID_EOF_STATE", "HPE_INVALID_METHOD"]);

export async function echoBackend(): Promise<EchoBackend> {
  const seen: SeenRequest[] = [];
  const complaints: string[] = [];
  const server = createServer({ insecureHTTPParser: false, keepAliveTimeout: 60_000 }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("error", () => {});
    request.on("end", () => {
      const { method, url, headers, rawHeaders } = request;
      const body = Buffer.concat(chunks).toString("latin1");
      seen.push({ line: `${method} ${url} ${headers.host} ${body}`, rawHeaders });
      response.end("seen");
    });
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const { code = "" } = error;
    if (code.startsWith("HPE_") && !HARMLESS.has(code)) complaints.push(`${code}: ${error.message}`);
    socket.destroy();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    port,
    seen,
    complaints,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
