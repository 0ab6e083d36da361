import { request as httpRequest } from "node:http";
import { connect as connectHttp2, constants } from "node:http2";
import { request as httpsRequest } from "node:https";
import { connect as connectTcp } from "node:net";
import type { TargetGroupSettings } from "../elbv2/records.ts";
import { codeRanges } from "../elbv2/health-check-settings.ts";
import type { Finding } from "./health-step.ts";

/** Where a check goes. */
export interface ProbedAt {
  readonly host: string;
  readonly port: number;
}

const FAILED: Finding = { ok: false, reason: "Target.FailedHealthChecks", description: "Health checks failed" };
const TIMED_OUT: Finding = { ok: false, reason: "Target.Timeout", description: "Request timed out" };

/** Checks a target once, in the way of its group. Never throws; when the signal aborts, time was up. */
export async function probe(settings: TargetGroupSettings, at: ProbedAt, signal: AbortSignal): Promise<Finding> {
  try {
    if (settings.HealthCheckProtocol === "TCP") return await probeTcp(at, signal);
    const code =
      settings.ProtocolVersion === "GRPC"
        ? await grpcStatus(settings, at, signal)
        : await httpStatus(settings, at, signal);
    const codes = settings.Matcher?.GrpcCode ?? settings.Matcher?.HttpCode ?? "200";
    if (codeRanges(codes).some(([from, to]) => code >= from && code <= to)) return { ok: true };
    return {
      ok: false,
      reason: "Target.ResponseCodeMismatch",
      description: `Health checks failed with these codes: [${code}]`,
    };
  } catch {
    // Whatever went wrong on the wire is what a check is there to find.
    return signal.aborted ? TIMED_OUT : FAILED;
  }
}

function probeTcp({ host, port }: ProbedAt, signal: AbortSignal): Promise<Finding> {
  return new Promise((resolve, reject) => {
    const socket = connectTcp({ host, port, signal });
    socket.once("connect", () => {
      socket.destroy();
      resolve({ ok: true });
    });
    socket.once("error", reject);
  });
}

function httpStatus(settings: TargetGroupSettings, { host, port }: ProbedAt, signal: AbortSignal): Promise<number> {
  const secure = settings.HealthCheckProtocol === "HTTPS";
  if (settings.ProtocolVersion === "HTTP2") {
    return http2Exchange(settings, { host, port }, signal, "GET").then(({ status }) => status);
  }
  return new Promise((resolve, reject) => {
    const request = (secure ? httpsRequest : httpRequest)({
      host,
      port,
      path: settings.HealthCheckPath ?? "/",
      agent: false,
      signal,
      headers: { "User-Agent": "ELB-HealthChecker/2.0", Connection: "close" },
      // Load balancers do not ask who signed the certificates of targets.
      ...(secure && { rejectUnauthorized: false }),
    });
    request.once("response", (response) => {
      response.resume();
      response.once("error", reject);
      resolve(response.statusCode ?? 0);
    });
    request.once("error", reject);
    // A target that switches protocols is told by nothing but this.
    request.once("close", () => reject(new Error("the connection ended without an answer")));
    request.end();
  });
}

async function grpcStatus(settings: TargetGroupSettings, at: ProbedAt, signal: AbortSignal): Promise<number> {
  const { status, grpc } = await http2Exchange(settings, at, signal, "POST");
  if (status !== 200 || grpc === undefined) throw new Error("no gRPC answer");
  return Number(grpc);
}

/** An empty gRPC message. */
const EMPTY_MESSAGE = Buffer.alloc(5);

function http2Exchange(
  settings: TargetGroupSettings,
  { host, port }: ProbedAt,
  signal: AbortSignal,
  method: "GET" | "POST",
): Promise<{ readonly status: number; readonly grpc: string | undefined }> {
  const scheme = settings.HealthCheckProtocol === "HTTPS" ? "https" : "http";
  const authority = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  return new Promise((resolve, reject) => {
    const session = connectHttp2(`${scheme}://${authority}`, { rejectUnauthorized: false });
    const end = (done: () => void): void => {
      session.destroy();
      signal.removeEventListener("abort", abort);
      done();
    };
    const abort = (): void => end(() => reject(signal.reason as Error));
    session.once("error", (error) => end(() => reject(error)));
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    const stream = session.request({
      [constants.HTTP2_HEADER_METHOD]: method,
      [constants.HTTP2_HEADER_PATH]: settings.HealthCheckPath ?? "/",
      "user-agent": "ELB-HealthChecker/2.0",
      ...(method === "POST" && { "content-type": "application/grpc", te: "trailers" }),
    });
    let status = 0;
    let grpc: string | undefined;
    const read = (headers: NodeJS.Dict<string | string[] | number>): void => {
      const told = headers["grpc-status"];
      if (typeof told === "string") grpc = told;
    };
    stream.on("response", (headers) => {
      status = headers[":status"] ?? 0;
      read(headers);
    });
    stream.on("trailers", read);
    stream.on("error", (error) => end(() => reject(error)));
    stream.on("end", () => end(() => resolve({ status, grpc })));
    stream.resume();
    stream.end(method === "POST" ? EMPTY_MESSAGE : undefined);
  });
}
