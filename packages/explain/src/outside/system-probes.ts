import { request as httpRequest } from "node:http";
import { connect as netConnect, isIP } from "node:net";
import type { Socket } from "node:net";
import { connect as tlsConnect, rootCertificates } from "node:tls";
import type { TLSSocket } from "node:tls";
import { deadline } from "@gatewright/ports";
import type { Clock } from "@gatewright/ports";
import type { Transport } from "@gatewright/runtime";
import type { Hop, Probes, Trial } from "../probes.ts";
import { certificateProblem } from "./certificate-problem.ts";
import type { LocalWorld } from "./local-world.ts";
import { createNames } from "./names.ts";
import { podPortBy } from "./pod-port.ts";

export interface SystemProbesOptions {
  readonly clock: Clock;
  /** The world that names are of. Default: the machine's own DNS, ports as they are, the authorities that Node trusts. */
  readonly local?: LocalWorld;
  /** PEM of a further authority to trust. */
  readonly ca?: string;
  /** The way to the API server, through which ports of pods are looked at. Default: they are not. */
  readonly transport?: Transport;
  /** How long one step may take. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 5_000;
const BODY_BYTES = 512;
/** How long the rest of an answer is waited for: one that is streamed has no end. */
const BODY_MS = 500;

class HopFailed extends Error {
  readonly reason: string;

  constructor(reason: string, detail: string) {
    super(detail);
    this.reason = reason;
  }
}

interface Target {
  readonly url: URL;
  readonly port: number;
}

/** Looks from where this process is, over real sockets. */
export function systemProbes(options: SystemProbesOptions): Probes {
  const { clock, local, transport, timeoutMs = TIMEOUT_MS } = options;
  const names = createNames(local?.dns, clock);
  const authorities = [...(local === undefined ? [] : [local.ca]), ...(options.ca === undefined ? [] : [options.ca])];
  const ca = authorities.length === 0 ? undefined : [...authorities, ...rootCertificates];

  const addressOf = async ({ url }: Target, signal: AbortSignal): Promise<string> => {
    const host = url.hostname.replaceAll(/^\[|\]$/g, "");
    if (isIP(host) !== 0) return host;
    const found = await names.addresses(host, signal);
    const by = local === undefined ? "" : ` (${local.dns})`;
    if (found === undefined) throw new HopFailed("NoAnswer", `DNS${by} does not answer.`);
    if (found === "refused") throw new HopFailed("DnsMissing", `DNS${by} has no zone for ${host}.`);
    const [first] = found;
    if (first === undefined) throw new HopFailed("DnsMissing", `DNS${by} has no address for ${host}.`);
    return first;
  };

  return {
    async resolve(name, type, signal) {
      using limit = deadline(clock, timeoutMs, signal);
      const values = await names.records(name, type, limit.signal).catch((error: unknown) => {
        signal?.throwIfAborted();
        if (limit.signal.aborted) return undefined;
        throw error;
      });
      return values && { name, type, values };
    },
    podPort: async (pod, port, signal) => transport && podPortBy(transport, clock, pod, port, signal),
    async request(text, signal) {
      const hops: Hop[] = [];
      const url = new URL(text);
      const isTls = url.protocol === "https:";
      const step = async <T>(
        name: Hop["step"],
        work: (until: AbortSignal) => Promise<readonly [T, string]>,
      ): Promise<T> => {
        using limit = deadline(clock, timeoutMs, signal);
        const since = clock.monotonic();
        const took = (): number => Math.round((clock.monotonic() - since) * 10) / 10;
        try {
          const [result, detail] = await work(limit.signal);
          signal?.throwIfAborted();
          hops.push({ step: name, ok: true, ms: took(), detail, reason: "" });
          return result;
        } catch (error) {
          signal?.throwIfAborted();
          hops.push({ step: name, ok: false, ms: took(), ...failureOf(error, limit.signal, timeoutMs) });
          throw STOP;
        }
      };
      const trial: { status?: number; body?: string } = {};
      let socket: Socket | undefined;
      try {
        const target = { url, port: Number(url.port) || (isTls ? 443 : 80) };
        const address = await step("resolve", async (until) => {
          const found = await addressOf(target, until);
          return [found, found];
        });
        const port = portOf(target.port, address, local);
        const plain = await step("connect", async (until) => {
          const opened = await open(address, port, until);
          return [opened, `${address}:${port}`];
        });
        socket = plain;
        if (isTls) socket = await step("tls", (until) => secured(plain, url.hostname, ca, clock.now(), until));
        const stream = socket;
        const answer = await step("request", async (until) => {
          const got = await ask(stream, url, clock, until);
          Object.assign(trial, got);
          if (got.status >= 500) throw new HopFailed("BadAnswer", `${url.pathname} answers ${got.status}.`);
          return [got, String(got.status)];
        });
        Object.assign(trial, answer);
      } catch (error) {
        if (error !== STOP) throw error;
      } finally {
        socket?.destroy();
      }
      const result: Trial = { url: text, hops, ...trial };
      return result;
    },
  };
}

const STOP = new Error("a hop failed");

function failureOf(error: unknown, limit: AbortSignal, ms: number): Pick<Hop, "detail" | "reason"> {
  if (error instanceof HopFailed) return { reason: error.reason, detail: error.message };
  if (limit.aborted) return { reason: "NoAnswer", detail: `No answer within ${ms / 1000} seconds.` };
  const { code, message } = error as NodeJS.ErrnoException;
  const refused = code === "ECONNREFUSED" || code === "EHOSTUNREACH" || code === "ENETUNREACH";
  if (refused) return { reason: "NoConnection", detail: `Nobody takes connections there: ${message}.` };
  return { reason: "NoAnswer", detail: `${message}.` };
}

/** Load balancers of a local world are at other ports; an address that is written out is meant as it is. */
function portOf(port: number, address: string, local: LocalWorld | undefined): number {
  const isMoved = local !== undefined && port < 1024 && address.startsWith("127.");
  return isMoved ? port + local.portsMovedBy : port;
}

function open(host: string, port: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = netConnect({ host, port });
    const end = (error: Error): void => {
      socket.destroy();
      reject(error);
    };
    const abort = (): void => end(new Error("aborted"));
    signal.addEventListener("abort", abort, { once: true });
    socket.once("error", end);
    socket.once("connect", () => {
      signal.removeEventListener("abort", abort);
      socket.off("error", end);
      // Whoever uses it next listens for itself; an error in between is met there.
      socket.on("error", () => {});
      resolve(socket);
    });
  });
}

/** A handshake whose certificate is checked here, so that it can be told what is wrong with it. Nothing is sent when something is. */
function secured(
  socket: Socket,
  hostname: string,
  ca: readonly string[] | undefined,
  now: number,
  signal: AbortSignal,
): Promise<readonly [TLSSocket, string]> {
  return new Promise((resolve, reject) => {
    const secure = tlsConnect({
      socket,
      ...(isIP(hostname) === 0 && { servername: hostname }),
      host: hostname,
      rejectUnauthorized: false,
      ALPNProtocols: ["http/1.1"],
      ...(ca !== undefined && { ca: [...ca] }),
    });
    const fail = (error: Error): void => {
      secure.destroy();
      reject(
        error instanceof HopFailed ? error : new HopFailed("TlsFailed", `The handshake failed: ${error.message}.`),
      );
    };
    const abort = (): void => reject(new Error("aborted"));
    signal.addEventListener("abort", abort, { once: true });
    secure.once("error", fail);
    secure.once("secureConnect", () => {
      signal.removeEventListener("abort", abort);
      const { subject, subjectaltname = "", valid_to: until } = secure.getPeerCertificate();
      const called = subjectaltname.replaceAll("DNS:", "") || ((subject as { CN?: string } | undefined)?.CN ?? "");
      const lasting = `${called}, until ${dayOf(until)}`;
      if (!secure.authorized) {
        // One that has ended may also be of an unknown authority, which is told first: what is certain comes before.
        const isOver = Date.parse(until) < now;
        const code = isOver ? "CERT_HAS_EXPIRED" : String(secure.authorizationError);
        fail(
          new HopFailed(certificateProblem(code), `The certificate that is served (${lasting}) is refused: ${code}.`),
        );
        return;
      }
      secure.on("error", () => {});
      resolve([secure, `${secure.getProtocol()}, ${lasting}`]);
    });
  });
}

function dayOf(text: string | undefined): string {
  const at = Date.parse(text ?? "");
  return Number.isNaN(at) ? "?" : new Date(at).toISOString().slice(0, 10);
}

/** The status of an answer and the beginning of its body. Whoever owns the socket ends it: more may be coming. */
function ask(
  socket: Socket,
  url: URL,
  clock: Clock,
  signal: AbortSignal,
): Promise<{ readonly status: number; readonly body: string }> {
  return new Promise((resolve, reject) => {
    const call = httpRequest({
      createConnection: () => socket,
      host: url.hostname,
      path: `${url.pathname}${url.search}`,
      headers: { host: url.host, "user-agent": "gatewright-try", accept: "*/*", connection: "close" },
      signal,
    });
    // Who switches protocols is told by nothing but the end of the connection.
    const unanswered = (): void => reject(new Error("The connection ended without an answer"));
    call.once("close", unanswered);
    call.on("error", reject);
    call.once("response", (response) => {
      call.off("close", unanswered);
      let body = "";
      const stop = (): void => {
        cancel();
        signal.removeEventListener("abort", enough);
      };
      const enough = (): void => {
        stop();
        resolve({ status: response.statusCode ?? 0, body });
      };
      const cancel = clock.timer(BODY_MS, enough);
      signal.addEventListener("abort", enough, { once: true });
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        body = (body + chunk).slice(0, BODY_BYTES);
        if (body.length === BODY_BYTES) enough();
      });
      response.on("error", (error) => {
        stop();
        reject(error);
      });
      response.once("end", enough);
    });
    call.end();
  });
}
