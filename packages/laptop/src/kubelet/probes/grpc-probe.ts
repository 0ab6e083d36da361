import { connect, constants } from "node:http2";
import type { Immutable } from "@gatewright/kube";
import type { core } from "@gatewright/kube/api";
import { refused } from "./probe-target.ts";
import type { ProbeResult, ProbeTarget } from "./probe-target.ts";

const SERVING = 1;
const NAMES = ["UNKNOWN", "SERVING", "NOT_SERVING", "SERVICE_UNKNOWN"];

/** Asks a container by the health protocol of gRPC. */
export async function probeGrpc(
  { port, service = "" }: Immutable<core.GRPCAction>,
  target: ProbeTarget,
  signal: AbortSignal,
): Promise<ProbeResult> {
  const address = target.addressOf(port);
  const place = `${target.podIP}:${port}`;
  const unreachable = (why: string): ProbeResult => ({
    ok: false,
    output: signal.aborted
      ? `timeout: failed to connect service "${place}" within the probe's time`
      : `error: failed to connect service at "${place}": ${why}`,
  });
  if (address === undefined) return unreachable(refused(target, port));
  try {
    const status = await check(`http://${address.host}:${address.port}`, place, service, signal);
    if (status === SERVING) return { ok: true };
    return { ok: false, output: `service unhealthy (responded with "${NAMES[status] ?? "UNKNOWN"}")` };
  } catch (error) {
    return unreachable(error instanceof Error ? error.message : String(error));
  }
}

/** `grpc.health.v1.Health/Check`: the number of the status in the answer. */
function check(url: string, authority: string, service: string, signal: AbortSignal): Promise<number> {
  return new Promise((resolve, reject) => {
    const session = connect(url);
    const end = (finish: () => void): void => {
      signal.removeEventListener("abort", abort);
      session.destroy();
      finish();
    };
    const abort = (): void => end(() => reject(signal.reason));
    signal.addEventListener("abort", abort, { once: true });
    session.on("error", (error) => end(() => reject(error)));
    const stream = session.request({
      [constants.HTTP2_HEADER_METHOD]: "POST",
      [constants.HTTP2_HEADER_PATH]: "/grpc.health.v1.Health/Check",
      [constants.HTTP2_HEADER_AUTHORITY]: authority,
      "content-type": "application/grpc",
      te: "trailers",
      "user-agent": "kube-probe/1.36",
    });
    const answer: Buffer[] = [];
    let failure: string | undefined;
    const readStatus = (headers: Readonly<Record<string, unknown>>): void => {
      const code = headers["grpc-status"];
      if (code !== undefined && code !== "0") failure = `health rpc probe failed: code ${String(code)}`;
    };
    stream.on("response", readStatus);
    stream.on("trailers", readStatus);
    stream.on("data", (chunk: Buffer) => answer.push(chunk));
    stream.on("error", (error) => end(() => reject(error)));
    stream.on("end", () => {
      const reason = failure;
      if (reason !== undefined) end(() => reject(new Error(reason)));
      else end(() => resolve(servingStatus(Buffer.concat(answer))));
    });
    stream.end(message(service));
  });
}

/** `HealthCheckRequest { service = 1 }` in its frame. Names are short: a length of one byte is enough up to 127. */
function message(service: string): Buffer {
  const name = Buffer.from(service, "utf8").subarray(0, 127);
  const body = name.length === 0 ? Buffer.alloc(0) : Buffer.concat([Buffer.from([0x0a, name.length]), name]);
  const head = Buffer.alloc(5);
  head.writeUInt32BE(body.length, 1);
  return Buffer.concat([head, body]);
}

/** `HealthCheckResponse { status = 1 }`; the field is left out for 0. */
function servingStatus(frame: Buffer): number {
  return frame[5] === 0x08 ? (frame[6] ?? 0) : 0;
}
