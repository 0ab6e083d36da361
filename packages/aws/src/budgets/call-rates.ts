import type { ServiceName } from "@gatewright/aws-wire";
import type { BucketSize } from "./token-bucket.ts";

/** A bucket and the calls that take from it. */
export interface CallRate extends BucketSize {
  /** Default: all of the service. */
  readonly operations?: readonly string[];
  /** What a call takes: a token, or one for each record that it changes. */
  readonly cost?: "record changes";
}

/** How fast the calls of services may be made; a service that is not named, as fast as they come. */
export type CallRates = Readonly<Partial<Record<ServiceName, readonly CallRate[]>>>;

const each = (rate: number, ...names: readonly string[]): CallRate[] =>
  names.map((name) => ({ capacity: rate, refill: rate, operations: [name] }));

/**
 * What AWS gives an account that never asked for more. Route 53 counts for the whole account; the rest by region. Others of the
 * account take from the same: who shares it with many sets less.
 */
export const STANDARD_RATES: CallRates = {
  route53: [
    { capacity: 1_500, refill: 100, operations: ["ChangeResourceRecordSets"], cost: "record changes" },
    { capacity: 50, refill: 10 },
  ],
  acm: [
    ...each(10, "DescribeCertificate", "DeleteCertificate", "ListTagsForCertificate"),
    ...each(8, "ListCertificates"),
    ...each(5, "RequestCertificate", "AddTagsToCertificate"),
    ...each(1, "ImportCertificate"),
  ],
  tagging: each(15, "GetResources"),
};
