import type { Immutable } from "@gatewright/kube";
import type { S3Bucket } from "@gatewright/resources";

/** What a person writes of a bucket. */
export type BucketSpec = Immutable<S3Bucket["spec"]>;

/** A section of it that is there. */
export type SectionOf<Name extends keyof BucketSpec> = NonNullable<BucketSpec[Name]>;
