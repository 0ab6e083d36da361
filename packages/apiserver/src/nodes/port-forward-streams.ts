import type { Duplex } from "node:stream";
import { join } from "./join.ts";
import type { NodeAccess, PodIdentity } from "./node-access.ts";
import { SpdySession } from "./spdy/spdy-session.ts";

/** Half of a forwarded connection: what waits for the stream that belongs to it. */
interface Halves {
  data?: Duplex;
  error?: Duplex;
}

/**
 * Serves forwarded ports by SPDY streams: two for each connection, one with its bytes and one that says what went wrong, which belong
 * together by the id of the request.
 */
export async function forwardStreams(transport: Duplex, pod: PodIdentity, nodes: NodeAccess): Promise<void> {
  const gone = new AbortController();
  const waiting = new Map<string, Halves>();
  const session = new SpdySession(transport, (stream, headers) => {
    const type = headers.get("streamtype");
    const port = Number(headers.get("port"));
    if ((type !== "data" && type !== "error") || !isPort(port)) return void stream.destroy();
    const id = headers.get("requestid") ?? "";
    const halves = waiting.get(id) ?? {};
    halves[type] = stream;
    waiting.set(id, halves);
    stream.once("close", () => {
      if (waiting.get(id) === halves) waiting.delete(id);
    });
    if (halves.data === undefined || halves.error === undefined) return undefined;
    waiting.delete(id);
    return void forward(halves.data, halves.error, port, pod, nodes, gone.signal);
  });
  await session.run();
  gone.abort();
}

function isPort(port: number): boolean {
  return Number.isInteger(port) && port >= 1 && port <= 65535;
}

async function forward(
  data: Duplex,
  error: Duplex,
  port: number,
  pod: PodIdentity,
  nodes: NodeAccess,
  signal: AbortSignal,
): Promise<void> {
  // Clients send nothing on it, and half of its way must be read for the stream to end.
  error.resume();
  try {
    const connection = await nodes.connect(pod, port, signal);
    // When the pod has said all, nothing can go wrong any more that the client would want to hear of.
    for (const event of ["end", "close"]) connection.once(event, () => error.end());
    if (data.destroyed) return void connection.destroy();
    join(data, connection);
  } catch (reason) {
    const why = reason instanceof Error ? reason.message : String(reason);
    error.end(`error forwarding port ${port} to pod ${pod.name}, uid ${pod.uid}: ${why}`);
    data.resume();
    data.end();
  }
}
