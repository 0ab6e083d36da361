import { request as httpRequest } from "node:http";
import { connect } from "node:http2";
import type { IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { grpcMessage, grpcTexts } from "./grpc-messages.ts";
import type { CaseAnswer, CaseRequest } from "./routing-case.ts";

/** Sends a request of a case to where a world listens, each on a connection of its own. */
export function send(
  to: Pick<AddressInfo, "address" | "port">,
  request: CaseRequest,
  signal: AbortSignal,
): Promise<CaseAnswer> {
  return request.grpc ? callOver(to, request, signal) : sendOver(to, request, signal);
}

function sendOver(
  { address, port }: Pick<AddressInfo, "address" | "port">,
  { method, host, target, headers, body }: CaseRequest,
  signal: AbortSignal,
): Promise<CaseAnswer> {
  return new Promise((resolve, reject) => {
    const length = body === "" ? {} : { "content-length": String(Buffer.byteLength(body)) };
    const options = { host: address, port, method, path: target, agent: false, signal, setHost: false };
    const sent = httpRequest({ ...options, headers: { host, ...length, ...headers } }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: headersOf(response.headers),
          body: Buffer.concat(chunks).toString(),
        }),
      );
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

function callOver(
  { address, port }: Pick<AddressInfo, "address" | "port">,
  { host, target, headers, body }: CaseRequest,
  signal: AbortSignal,
): Promise<CaseAnswer> {
  return new Promise((resolve, reject) => {
    const session = connect(`http://${address}:${port}`);
    session.on("error", reject);
    const fields = { ":method": "POST", ":path": target, ":authority": host, te: "trailers" };
    const stream = session.request({ ...fields, "content-type": "application/grpc", ...headers }, { signal });
    const got = new Map<string, string>();
    const chunks: Buffer[] = [];
    let status = 0;
    stream.on("response", (head) => {
      status = head[":status"] ?? 0;
      for (const [name, value] of headersOf(head)) got.set(name, value);
    });
    stream.on("trailers", (trailers: IncomingHttpHeaders) => {
      for (const [name, value] of headersOf(trailers)) got.set(name, value);
    });
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("error", (error) => {
      session.destroy();
      reject(error);
    });
    stream.on("end", () => {
      session.close();
      const isGrpc = got.get("content-type")?.startsWith("application/grpc") === true;
      const bytes = Buffer.concat(chunks);
      resolve({ status, headers: got, body: isGrpc ? grpcTexts(bytes).join("\n") : bytes.toString() });
    });
    stream.end(grpcMessage(body));
  });
}

function headersOf(headers: IncomingHttpHeaders): ReadonlyMap<string, string> {
  const all = new Map<string, string>();
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !name.startsWith(":")) all.set(name, Array.isArray(value) ? value.join(", ") : value);
  return all;
}
