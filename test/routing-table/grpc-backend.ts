import { createServer } from "node:http2";
import type { Http2Server, IncomingHttpHeaders, ServerHttp2Stream } from "node:http2";
import type { Behaviour } from "./backends.ts";
import { grpcMessage, grpcTexts } from "./grpc-messages.ts";
import type { Seen } from "./routing-case.ts";

/** How servers of gRPC behave. */
export type GrpcBehaviour = Extract<Behaviour, { readonly does: "grpc-echo" | "grpc-hang" | "grpc-fail-first" }>;
const STREAMED = 3;

/** A server of gRPC without TLS that behaves so. `asked` is told of every call and says how many came before it. */
export function grpcBackend(name: string, behaviour: GrpcBehaviour, asked: () => number): Http2Server {
  const server = createServer();
  server.on("stream", (stream, headers) => {
    const before = asked();
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
  };
  stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
  stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0", "x-trailer": name }));
  const times = target.split("/")[2]?.startsWith("Stream") === true ? STREAMED : 1;
  for (let count = 0; count < times; count++) stream.write(grpcMessage(JSON.stringify(seen)));
  stream.end();
}
