import { AwsCallError } from "@gatewright/aws";
import type { S3Bucket } from "@gatewright/resources";
import type { Change } from "../../engine/aws-kind.ts";
import type { Ground } from "../../engine/session.ts";
import { bucketCalls } from "./bucket-calls.ts";
import type { BucketCalls } from "./bucket-calls.ts";
import type { BucketSeen, SectionName } from "./bucket-seen.ts";
import { closeAccess, openAccess, writeAcl, writePolicy } from "./change-access.ts";
import {
  writeAcceleration,
  writeCors,
  writeEncryption,
  writeLifecycle,
  writeLogging,
  writeNotifications,
  writePayer,
  writeWebsite,
} from "./change-documents.ts";
import { startVersioning, stopVersioning, writeObjectLock, writeReplication } from "./change-versions.ts";

/** What a step of writing has at hand. */
export interface Writing extends BucketCalls {
  readonly seen: BucketSeen;
  readonly change: Change<S3Bucket>;
  /** Whether something of a section is to be written. */
  readonly differs: (section: SectionName) => boolean;
}

/** Writes what differs of one section, or nothing. */
export type Step = (writing: Writing) => Promise<void>;

/**
 * In the order that S3 needs. What opens a bucket comes before policy and ACL, which it lets in, and what shuts it comes after them.
 * Versions come before what stands on them and go after it.
 */
const STEPS: readonly Step[] = [
  openAccess,
  writePolicy,
  writeAcl,
  closeAccess,
  startVersioning,
  writeEncryption,
  writeObjectLock,
  writeReplication,
  stopVersioning,
  writeLifecycle,
  writeCors,
  writeLogging,
  writeWebsite,
  writeNotifications,
  writeAcceleration,
  writePayer,
];

/**
 * Writes the sections that differ, one after the other: S3 refuses writes side by side. One that it refuses for what it says does
 * not hold up the others; the first refusal is told at the end.
 */
export async function changeBucket(ground: Ground, seen: BucketSeen, change: Change<S3Bucket>): Promise<void> {
  const paths = [...change.fields.keys()];
  const writing: Writing = {
    ...bucketCalls(ground, seen.name),
    seen,
    change,
    differs: (section) => paths.some((path) => path === section || path.startsWith(`${section}.`)),
  };
  let refusal: unknown;
  for (const step of STEPS) {
    try {
      await step(writing);
    } catch (error) {
      if (!(error instanceof AwsCallError) || error.kind !== "terminal") throw error;
      refusal ??= error;
    }
  }
  if (refusal !== undefined) throw refusal;
}
