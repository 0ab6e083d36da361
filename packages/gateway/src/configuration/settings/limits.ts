import { s } from "@gatewright/kube/define";
import type { ReadOf } from "@gatewright/kube/define";
import { specMs } from "../spec-duration.ts";

/** What clients may ask of a listener. Times are in milliseconds. */
export interface Limits {
  /** Bytes of a request's head, and fields in it. */
  readonly maxHeaderBytes: number;
  readonly maxHeaders: number;
  /** Bytes of a request's target. */
  readonly maxTargetBytes: number;
  /** Bytes of a body, where the route does not say it. 0: any number. */
  readonly maxBodyBytes: number;
  /** From the first byte of a head to its end. */
  readonly headerTimeoutMs: number;
  /** From the head to the end of the answer, where the route does not say it. 0: without end. */
  readonly requestTimeoutMs: number;
  /** Between two requests of a connection. */
  readonly keepAliveTimeoutMs: number;
  /** Without a byte in either direction on a stream or a tunnel. */
  readonly idleTimeoutMs: number;
  /** Without a byte of a body that is wanted. */
  readonly progressTimeoutMs: number;
  /** How fast a body has to come on average. */
  readonly minBytesPerSecond: number;
  /** To the end of the TLS handshake. */
  readonly handshakeTimeoutMs: number;
  /** Connections of the listener, and of one client address among them. 0: any number. */
  readonly maxConnections: number;
  readonly maxConnectionsPerClient: number;
  readonly maxRequestsPerConnection: number;
  /** Requests at once on one HTTP/2 connection. */
  readonly maxConcurrentStreams: number;
  /** How long requests under way have when the gateway ends. */
  readonly drainTimeoutMs: number;
}

/** What holds where nothing is said. */
export const DEFAULT_LIMITS: Limits = {
  maxHeaderBytes: 16_384,
  maxHeaders: 100,
  maxTargetBytes: 8192,
  maxBodyBytes: 10_485_760,
  headerTimeoutMs: 10_000,
  requestTimeoutMs: 300_000,
  keepAliveTimeoutMs: 75_000,
  idleTimeoutMs: 300_000,
  progressTimeoutMs: 30_000,
  minBytesPerSecond: 240,
  handshakeTimeoutMs: 10_000,
  maxConnections: 20_000,
  maxConnectionsPerClient: 0,
  maxRequestsPerConnection: 100_000,
  maxConcurrentStreams: 100,
  drainTimeoutMs: 30_000,
};

const count = (description: string, minimum: number, maximum: number) =>
  s.integer({ description, minimum, maximum }).optional();
const time = (description: string) => s.duration({ description }).optional();
const MANY = 1_000_000_000;

const ofConnections = {
  maxHeaderBytes: count("Bytes of a request's head. Default: 16384.", 1024, 1_048_576),
  maxHeaders: count("Fields of a request's head. Default: 100.", 1, 10_000),
  maxTargetBytes: count("Bytes of a request's target. Default: 8192.", 16, 65_536),
  headerTimeout: time("How long a head may take. Default: 10s."),
  keepAliveTimeout: time("How long a connection waits for its next request. Default: 75s."),
  idleTimeout: time("How long a stream may be silent. Default: 300s."),
  progressTimeout: time("How long a body may stall. Default: 30s."),
  minBytesPerSecond: count("How fast a body has to come on average. Default: 240.", 0, MANY),
  handshakeTimeout: time("How long the TLS handshake may take. Default: 10s."),
  maxConnections: count("Connections at the same time. Default: 20000. 0: any number.", 0, MANY),
  maxConnectionsPerClient: count("Connections of one client address. Default: any number.", 0, MANY),
  maxRequestsPerConnection: count("Requests on one connection. Default: 100000.", 1, MANY),
  maxConcurrentStreams: count("Requests at once on one HTTP/2 connection. Default: 100.", 1, 65_536),
};

/** The limits that a listener can have of its own. */
export const listenerLimitsSchema = s
  .object(ofConnections, {
    description: "What clients may ask of this listener. Default: as the gateway's limits say.",
  })
  .optional();

/** The limits as settings have them: all may be left out. */
export const limitsSchema = s
  .object(
    {
      ...ofConnections,
      maxBodyBytes: count(
        "Bytes of a body, where its route does not say it. Default: 10485760. 0: any number.",
        0,
        2 ** 50,
      ),
      requestTimeout: time(
        "How long an answer may take, where its route does not say it. Default: 300s. 0s: without end.",
      ),
      drainTimeout: time("How long requests under way have when the gateway ends. Default: 30s."),
    },
    { description: "What clients may ask of the gateway." },
  )
  .optional();

type Given = ReadOf<typeof limitsSchema> | ReadOf<typeof listenerLimitsSchema>;

/** These limits, and the others as they were. */
export function limitsOf(given: Given | undefined, otherwise: Limits): Limits {
  if (given === undefined) return otherwise;
  const limits = { ...otherwise };
  for (const [name, value] of Object.entries(given)) {
    if (typeof value === "number") limits[name as "maxHeaders"] = value;
    else limits[`${name}Ms` as "headerTimeoutMs"] = specMs(value, 0);
  }
  return limits;
}
