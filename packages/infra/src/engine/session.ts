import type { Aws } from "@gatewright/aws";

/** The way into one account and region, as a provider opens it. */
export interface Session {
  /** Changes when the way in does: what was read through another one is not of this. */
  readonly key: string;
  readonly aws: Aws;
  readonly account: string;
  readonly region: string;
  /** Where it is not AWS's own: accounts of two endpoints are two, though they may be called the same. */
  readonly endpoint?: string;
  /** Of ARNs: `aws`, `aws-cn`, `aws-us-gov`. */
  readonly partition: string;
  readonly defaultTags: Readonly<Record<string, string>>;
  /** For what is being deleted alone: the keys that it stands on were taken away together with their provider. */
  readonly parting?: boolean;
}

/** A session while a run uses it. */
export interface Ground extends Session {
  readonly signal: AbortSignal;
}
