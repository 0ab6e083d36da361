import { createSecureServer, createServer } from "node:http2";
import type { Http2SecureServer, Http2Server, IncomingHttpHeaders, ServerHttp2Stream } from "node:http2";
import type { TLSSocket, TlsOptions } from "node:tls";
import type { GrpcBehaviour } from "./backends.ts";
import { shownOn } from "./doors.ts";
import { grpcMessage, grpcTexts } from "./grpc-messages.ts";
import type { Seen } from "./routing-case.ts";

const STREAMED = 3;
const HEALTH = "/grpc.health.v1.Health/Check";

/** A server of gRPC that behaves so. `asked` is told of every call but those about health, and says how many came before it. */
export function grpcBackend(
  name: string,
  behaviour: GrpcBehaviour,
  asked: (about: string) => number,
  tls?: TlsOptions,
): Http2Server | Http2SecureServer {
  const server = tls === undefined ? createServer() : createSecureServer(tls);
  server.on("stream", (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    const before = headers[":path"] === HEALTH ? 0 : asked(name);
    const chunks: Buffer[] = [];
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("error", () => {
      // The caller went away.
    });
    stream.on("end", () => answer(name, behaviour, before, stream, headers, grpcTexts(Buffer.concat(chunks))));
  });
  return server;
}

function answer(
  name: string,
  behaviour: GrpcBehaviour,
  before: number,
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  messages: readonly string[],
): void {
  if (behaviour.does === "grpc-hang") return;
  if (headers[":path"] === HEALTH) return answerHealth(behaviour, stream, messages);
  if (behaviour.does === "grpc-fail-first" && before < behaviour.times) {
    const fields = { ":status": 200, "content-type": "application/grpc" };
    stream.respond({ ...fields, "grpc-status": String(behaviour.status) }, { endStream: true });
    return;
  }
  const plain = Object.entries(headers).filter(([key]) => !key.startsWith(":"));
  const target = headers[":path"] ?? "";
  const seen: Seen = {
    backend: name,
    method: headers[":method"] ?? "",
    target,
    host: headers[":authority"] ?? headers.host ?? "",
    headers: Object.fromEntries(plain.map(([key, value]) => [key, String(value)])),
    body: messages.join("\n"),
    caller: shownOn(stream.session?.socket as Partial<TLSSocket>),
  };
  stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
  stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0", "x-trailer": name }));
  const times = target.split("/")[2]?.startsWith("Stream") === true ? STREAMED : 1;
  for (let count = 0; count < times; count++) stream.write(grpcMessage(JSON.stringify(seen)));
  stream.end();
}

/** `HealthCheckRequest { string service = 1 }` and `HealthCheckResponse { ServingStatus status = 1 }`: 1 serves, 2 does not. */
function answerHealth(behaviour: GrpcBehaviour, stream: ServerHttp2Stream, [asked = ""]: readonly string[]): void {
  const sick = behaviour.does === "grpc-echo" && behaviour.sick?.includes(asked.slice(2)) === true;
  stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
  stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
  stream.end(grpcMessage(sick ? "\u0008\u0002" : "\u0008\u0001"));
}
