import { partitionOf } from "../partition.ts";
import type { Place } from "./rds-store.ts";

/** A key as RDS tells it, however it was named. */
export function kmsKeyArn({ account, region }: Place, key: string): string {
  return key.startsWith("arn:") ? key : `arn:${partitionOf(region)}:kms:${region}:${account}:key/${key}`;
}
