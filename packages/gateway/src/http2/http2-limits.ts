import type { ServerSessionOptions } from "node:http2";

/** What one HTTP/2 connection of a client may do. */
export interface Http2Limits {
  /** Requests at once; announced to the client. */
  readonly concurrentStreams: number;
  /** Requests on one connection: after so many it takes no more, and closes when they are answered. */
  readonly requests: number;
  /** Bytes of a head, counted as HPACK does (32 more a field): above it 431, above four times it the stream is reset. */
  readonly headBytes: number;
  /** Fields of a head: above it 431, above twice it the stream is reset. */
  readonly fields: number;
  /** Characters of a request's target: above it 414. */
  readonly targetBytes: number;
  /** Megabytes that the connection may hold in memory. */
  readonly sessionMegabytes: number;
  /** Bytes of one body that wait here for their reader. */
  readonly streamWindow: number;
  /** Bytes of all bodies of the connection on their way. */
  readonly connectionWindow: number;
  /** Requests that ended in a reset before their answer was whole: so many at once, then so many a second. */
  readonly resetBurst: number;
  readonly resetsPerSecond: number;
  /** SETTINGS frames, and PING frames while no answer flows: so many of each at once, then so many a second. */
  readonly controlBurst: number;
  readonly controlPerSecond: number;
  /** Frames that break the protocol without ending the connection. */
  readonly invalidFrames: number;
  /** Streams beyond `concurrentStreams`. */
  readonly rejectedStreams: number;
  /** Without any request for so long, the connection is closed. */
  readonly idleMs: number;
  /** A client that takes nothing of its answer, or sends nothing of its body, for so long loses the stream. gRPC may be silent. */
  readonly stalledMs: number;
  /** How many bytes a second a body that is wanted has to have on average, over each span of `stalledMs`. 0: any byte will do. */
  readonly bytesPerSecond: number;
  /** How often a client with requests under way is asked whether it is there. */
  readonly pingMs: number;
}

/** Hard on purpose: what well-behaved clients need, with room. */
export const HTTP2_LIMITS: Http2Limits = {
  concurrentStreams: 100,
  requests: 100_000,
  headBytes: 16_384,
  fields: 100,
  targetBytes: 8192,
  sessionMegabytes: 16,
  streamWindow: 65_535,
  connectionWindow: 1_048_576,
  resetBurst: 500,
  resetsPerSecond: 100,
  controlBurst: 100,
  controlPerSecond: 10,
  invalidFrames: 20,
  rejectedStreams: 100,
  idleMs: 75_000,
  stalledMs: 300_000,
  bytesPerSecond: 240,
  pingMs: 60_000,
};

/** The limits as Node's module takes them: those that it watches itself. */
export function sessionOptions(limits: Http2Limits): ServerSessionOptions {
  return {
    maxSessionMemory: limits.sessionMegabytes,
    maxHeaderListPairs: limits.fields * 2,
    maxOutstandingPings: 10,
    maxSettings: 32,
    maxSessionInvalidFrames: limits.invalidFrames,
    maxSessionRejectedStreams: limits.rejectedStreams,
    streamResetBurst: limits.resetBurst * 2,
    streamResetRate: limits.resetsPerSecond * 2,
    settings: {
      enablePush: false,
      enableConnectProtocol: true,
      maxConcurrentStreams: limits.concurrentStreams,
      maxHeaderListSize: limits.headBytes * 4,
      initialWindowSize: limits.streamWindow,
    },
  };
}
