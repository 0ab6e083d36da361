import type { Source } from "./body.ts";
import type { Fields } from "./fields.ts";

/** An answer on its way to the client: a backend's, or one made here. Hop-by-hop fields and framing are not in `fields`. */
export interface Answer {
  status: number;
  fields: Fields;
  /** Undefined: none. Its `length` decides between content-length and chunks. */
  body: Source | undefined;
  /** Set on answers that were made here: why, as one word for logs and metrics (`no_route`, `rate_limited`, …). */
  readonly origin?: string;
}
