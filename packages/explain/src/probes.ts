/** Records that DNS has for a name; none when it has no such name. */
export interface DnsAnswer {
  readonly name: string;
  readonly type: "A" | "AAAA" | "CNAME";
  readonly values: readonly string[];
}

/** What happened at one step of a request. */
export interface Hop {
  readonly step: "resolve" | "connect" | "tls" | "request";
  readonly ok: boolean;
  /** How long it took. */
  readonly ms: number;
  /** `127.0.1.1`, `TLSv1.3, *.opendi.com until 2027-01-01`, `200`. */
  readonly detail: string;
  /** UpperCamelCase: why it failed; empty when it did not. */
  readonly reason: string;
}

/** One request that was really made, as far as it came. */
export interface Trial {
  readonly url: string;
  /** In order. Only the last one can have failed. */
  readonly hops: readonly Hop[];
  /** The status of the answer; absent when there was none. */
  readonly status?: number;
  /** The first bytes of the answer's body. */
  readonly body?: string;
}

/** Whether somebody listens at a port of a pod. */
export type PodPort = "listening" | "closed";

/** Looks from outside: what a caller of the hostname would see. No call rejects but by its signal. */
export interface Probes {
  /** Undefined: DNS did not answer, which is no proof of absence. */
  resolve(name: string, type: DnsAnswer["type"], signal?: AbortSignal): Promise<DnsAnswer | undefined>;
  request(url: string, signal?: AbortSignal): Promise<Trial>;
  /** Through the API server. Undefined: it could not be found out. */
  podPort(
    pod: { readonly namespace: string; readonly name: string },
    port: number,
    signal?: AbortSignal,
  ): Promise<PodPort | undefined>;
}
