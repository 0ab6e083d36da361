import { AwsCallError } from "@gatewright/aws";
import type { Aws } from "@gatewright/aws";
import type { Ground } from "../../engine/session.ts";

/** The calls for one bucket. */
export interface BucketCalls {
  readonly s3: Aws["s3"];
  /** What every call says: a bucket of this name that is another account's is refused, never taken for ours. */
  readonly target: { readonly Bucket: string; readonly ExpectedBucketOwner: string };
  readonly options: { readonly signal: AbortSignal };
}

export function bucketCalls({ aws, account, signal }: Ground, name: string): BucketCalls {
  return { s3: aws.s3, target: { Bucket: name, ExpectedBucketOwner: account }, options: { signal } };
}

/** Whether AWS said just this. */
export function isCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof AwsCallError && codes.includes(error.code);
}

/** What a call gives, or undefined when AWS says by this code that there is none. Every other error stays one. */
export async function unless<T>(code: string, call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (isCode(error, code)) return undefined;
    throw error;
  }
}
