/** How connections to one endpoint are used. */
export interface Http2UpstreamLimits {
  /** Requests at once on one connection; the backend may allow fewer. */
  readonly streamsPerConnection: number;
  readonly maxConnections: number;
  readonly connectMs: number;
  /** A connection without requests is closed after so long. */
  readonly idleMs: number;
  /** How often a connection with requests under way is asked whether it is there; no word until the next time: it is not. */
  readonly pingMs: number;
  readonly headBytes: number;
  readonly fields: number;
  readonly streamWindow: number;
  readonly connectionWindow: number;
}

export const HTTP2_UPSTREAM_LIMITS: Http2UpstreamLimits = {
  streamsPerConnection: 100,
  maxConnections: 16,
  connectMs: 5_000,
  idleMs: 60_000,
  pingMs: 20_000,
  headBytes: 65_536,
  fields: 200,
  streamWindow: 262_144,
  connectionWindow: 4_194_304,
};
