import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Immutable } from "@gatewright/kube";
import type { core } from "@gatewright/kube/api";
import { portNumber, refused } from "./probe-target.ts";
import type { ProbeResult, ProbeTarget } from "./probe-target.ts";

/** Asks a container by HTTP. Every answer below 400 is a good one; certificates are not checked, as the real kubelet does not. */
export async function probeHttp(
  action: Immutable<core.HTTPGetAction>,
  target: ProbeTarget,
  signal: AbortSignal,
): Promise<ProbeResult> {
  const port = portNumber(target, action.port);
  if (port === undefined) return { ok: false, output: `couldn't find port: ${action.port} in the container` };
  if (action.host !== undefined && action.host !== "" && action.host !== target.podIP) {
    return { ok: false, output: `probes of other hosts than the pod are not made here (${action.host})` };
  }
  const scheme = action.scheme === "HTTPS" ? "https" : "http";
  const path = action.path?.startsWith("/") === true ? action.path : `/${action.path ?? ""}`;
  const url = `${scheme}://${target.podIP}:${port}${path}`;
  const address = target.addressOf(port);
  if (address === undefined) return { ok: false, output: `Get "${url}": ${refused(target, port)}` };
  try {
    const status = await statusOf(scheme, { ...address, path }, headersOf(action, `${target.podIP}:${port}`), signal);
    return status >= 200 && status < 400
      ? { ok: true }
      : { ok: false, output: `HTTP probe failed with statuscode: ${status}` };
  } catch (error) {
    return { ok: false, output: `Get "${url}": ${signal.aborted ? TIMEOUT : failureText(error, target, port)}` };
  }
}

const TIMEOUT = "context deadline exceeded (Client.Timeout exceeded while awaiting headers)";

function headersOf({ httpHeaders = [] }: Immutable<core.HTTPGetAction>, host: string): string[] {
  const given = new Set(httpHeaders.map(({ name }) => name.toLowerCase()));
  const own = [
    ["Host", host],
    ["User-Agent", "kube-probe/1.36"],
    ["Accept", "*/*"],
    ["Connection", "close"],
  ].filter(([name = ""]) => !given.has(name.toLowerCase()));
  return [...own.flat(), ...httpHeaders.flatMap(({ name, value }) => [name, value])];
}

function statusOf(
  scheme: "http" | "https",
  { host, port, path }: { readonly host: string; readonly port: number; readonly path: string },
  headers: string[],
  signal: AbortSignal,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const options = { host, port, path, headers, signal, agent: false, rejectUnauthorized: false } as const;
    const sent = (scheme === "https" ? httpsRequest : httpRequest)(options, (response) => {
      response.resume();
      response.on("error", () => {}); // the code is all that counts
      resolve(response.statusCode ?? 0);
    });
    sent.on("error", reject);
    // A container that switches protocols is told by nothing but this.
    sent.once("close", () => reject(new Error("it ended the connection without an answer")));
    sent.end();
  });
}

function failureText(error: unknown, target: ProbeTarget, port: number): string {
  const code = (error as { readonly code?: unknown }).code;
  return code === "ECONNREFUSED" ? refused(target, port) : error instanceof Error ? error.message : String(error);
}
