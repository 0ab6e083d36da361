import { request as httpRequest } from "node:http";
import { connect } from "node:http2";
import type { IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { grpcMessage, grpcTexts } from "./grpc-messages.ts";
import type { CaseAnswer, CaseRequest } from "./routing-case.ts";

type Address = Pick<AddressInfo, "address" | "port">;

/** Fields that HTTP/2 has no place for. */
const CONNECTION_FIELDS = ["connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade"];

/** Sends a request of a case to where a world listens, each on a connection of its own. */
export function send(to: Address, request: CaseRequest, signal: AbortSignal): Promise<CaseAnswer> {
  return request.grpc ? call(to, request, signal) : sendOverHttp1(to, request, signal);
}

/** Sends a request over HTTP/2 without TLS, with prior knowledge; fields about the connection are left out. */
export async function sendOverHttp2(to: Address, request: CaseRequest, signal: AbortSignal): Promise<CaseAnswer> {
  if (request.grpc) return call(to, request, signal);
  const { method, body } = request;
  const headers = Object.entries(request.headers).filter(([name]) => !CONNECTION_FIELDS.includes(name.toLowerCase()));
  const fields = { ":method": method, ...lengthOf(request), ...Object.fromEntries(headers) };
  const { bytes, ...head } = await exchange(to, request, fields, Buffer.from(body), signal);
  return { ...head, body: bytes.toString() };
}

async function call(to: Address, request: CaseRequest, signal: AbortSignal): Promise<CaseAnswer> {
  const fields = { ":method": "POST", te: "trailers", "content-type": "application/grpc", ...request.headers };
  const { bytes, ...head } = await exchange(to, request, fields, grpcMessage(request.body), signal);
  const isGrpc = head.headers.get("content-type")?.startsWith("application/grpc") === true;
  return { ...head, body: isGrpc ? grpcTexts(bytes).join("\n") : bytes.toString() };
}

/** The length of a body, unless the case wants it to be sent without. */
function lengthOf({ body, headers }: CaseRequest): Readonly<Record<string, string>> {
  const isUnknown = body === "" || Object.hasOwn(headers, "transfer-encoding");
  return isUnknown ? {} : { "content-length": String(Buffer.byteLength(body)) };
}

function sendOverHttp1({ address, port }: Address, request: CaseRequest, signal: AbortSignal): Promise<CaseAnswer> {
  const { method, host, target, headers, body } = request;
  return new Promise((resolve, reject) => {
    const options = { host: address, port, method, path: target, agent: false, signal, setHost: false };
    const sent = httpRequest({ ...options, headers: { host, ...lengthOf(request), ...headers } }, (response) => {
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

/** One stream on a session of its own. */
function exchange(
  { address, port }: Address,
  { host, target }: CaseRequest,
  fields: Readonly<Record<string, string>>,
  body: Buffer,
  signal: AbortSignal,
): Promise<Omit<CaseAnswer, "body"> & { readonly bytes: Buffer }> {
  return new Promise((resolve, reject) => {
    const session = connect(`http://${address}:${port}`);
    session.on("error", reject);
    const options = { signal, endStream: body.length === 0 };
    const stream = session.request({ ":path": target, ":authority": host, ...fields }, options);
    const headers = new Map<string, string>();
    const chunks: Buffer[] = [];
    let status = 0;
    stream.on("response", (head) => {
      status = head[":status"] ?? 0;
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
      resolve({ status, headers, bytes: Buffer.concat(chunks) });
    });
    if (body.length > 0) stream.end(body);
  });
}

function headersOf(headers: IncomingHttpHeaders): ReadonlyMap<string, string> {
  const all = new Map<string, string>();
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !name.startsWith(":")) all.set(name, Array.isArray(value) ? value.join(", ") : value);
  return all;
}
