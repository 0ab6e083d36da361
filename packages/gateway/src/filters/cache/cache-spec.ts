/** `cache` of a route, or of a backend, which has fewer fields and two of its own. */
export interface CacheSpec {
  readonly enabled?: boolean;
  /** How long answers are kept that do not say so themselves, or whatever they say. Default 60s. */
  readonly ttl?: string;
  /** Whether `cache-control` and `expires` decide how long, and clients may ask for a new answer. */
  readonly honorCacheControl?: boolean;
  readonly keyConfig?: CacheKeySpec;
  /** Deprecated: `path`, `query`, `host`, `method`, `body`, `header:name`, `query:name` and other sources. */
  readonly keyComponents?: readonly string[];
  /** How long errors are kept that mean absence (404, 405, 410, 414, 451, 501). Default: not at all. */
  readonly negativeCacheTTL?: string;
  /** How long an answer is still given after its time, while a new one is fetched. Default: not at all. */
  readonly staleWhileRevalidate?: string;
  /** Default 1000. */
  readonly maxEntries?: number;
  readonly type?: string;
  /** By which part of it an answer's time is shortened at most, at random, so that not all end at once. Backends only. */
  readonly ttlJitter?: number;
}

/** What makes two requests the same. */
export interface CacheKeySpec {
  readonly includeMethod?: boolean;
  readonly includePath?: boolean;
  readonly includeHeaders?: readonly string[];
  /** Only these parameters count; absent or `*`: the whole query. */
  readonly includeQueryParams?: readonly string[];
  /** Requests with a body are looked up too, by what the body is. */
  readonly includeBodyHash?: boolean;
  /** The whole key as a template: `{{ .host }}{{ .path }}{{ .claim.sub }}`. */
  readonly keyTemplate?: string;
}
