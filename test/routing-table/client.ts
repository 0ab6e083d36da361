import { connect } from "node:http2";
import type { IncomingHttpHeaders } from "node:http";
import type { TLSSocket } from "node:tls";
import { headersOf, lengthOf } from "./client-fields.ts";
import { clientTls, doorOf, shownOn } from "./doors.ts";
import type { Doors } from "./doors.ts";
import { grpcMessage, grpcTexts } from "./grpc-messages.ts";
import { sendOverHttp1 } from "./http1-client.ts";
import type { CaseAnswer, CaseRequest } from "./routing-case.ts";

/** Fields that HTTP/2 has no place for. */
const CONNECTION_FIELDS = ["connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade"];

/** Sends a request of a case to where a world listens, each on a connection of its own. */
export function send(doors: Doors, request: CaseRequest, signal: AbortSignal): Promise<CaseAnswer> {
  return request.grpc ? call(doors, request, signal) : sendOverHttp1(doors, request, signal);
}

/** Sends a request over HTTP/2, without TLS with prior knowledge; fields about the connection are left out. */
export async function sendOverHttp2(doors: Doors, request: CaseRequest, signal: AbortSignal): Promise<CaseAnswer> {
  if (request.grpc) return call(doors, request, signal);
  const { method, body } = request;
  const headers = Object.entries(request.headers).filter(([name]) => !CONNECTION_FIELDS.includes(name.toLowerCase()));
  const fields = { ":method": method, ...lengthOf(request), ...Object.fromEntries(headers) };
  const { bytes, ...head } = await exchange(doors, request, fields, Buffer.from(body), signal);
  return { ...head, body: bytes.toString() };
}

async function call(doors: Doors, request: CaseRequest, signal: AbortSignal): Promise<CaseAnswer> {
  const fields = { ":method": "POST", te: "trailers", "content-type": "application/grpc", ...request.headers };
  const { bytes, ...head } = await exchange(doors, request, fields, grpcMessage(request.body), signal);
  const isGrpc = head.headers.get("content-type")?.startsWith("application/grpc") === true;
  return { ...head, body: isGrpc ? grpcTexts(bytes).join("\n") : bytes.toString() };
}

/** One stream on a session of its own. */
function exchange(
  doors: Doors,
  request: CaseRequest,
  fields: Readonly<Record<string, string>>,
  body: Buffer,
  signal: AbortSignal,
): Promise<Omit<CaseAnswer, "body"> & { readonly bytes: Buffer }> {
  return new Promise((resolve, reject) => {
    const { host, target } = request;
    const { address, port } = doorOf(doors, request);
    const tls = clientTls(doors, request);
    const session = connect(`${tls === undefined ? "http" : "https"}://${address}:${port}`, { ...tls });
    session.on("error", reject);
    const options = { signal, endStream: body.length === 0 };
    const stream = session.request({ ":path": target, ":authority": host, ...fields }, options);
    const headers = new Map<string, string>();
    const chunks: Buffer[] = [];
    let status = 0;
    let certificate = "";
    stream.on("response", (head) => {
      status = head[":status"] ?? 0;
      certificate = shownOn(session.socket as Partial<TLSSocket>);
      for (const [name, value] of headersOf(head)) headers.set(name, value);
    });
    stream.on("trailers", (trailers: IncomingHttpHeaders) => {
      for (const [name, value] of headersOf(trailers)) headers.set(name, value);
    });
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("error", (error) => {
      session.destroy();
      reject(error);
    });
    stream.on("end", () => {
      session.close();
      resolve({ status, headers, certificate, bytes: Buffer.concat(chunks) });
    });
    if (body.length > 0) stream.end(body);
  });
}
