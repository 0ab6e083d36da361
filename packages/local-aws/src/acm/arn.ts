import { partitionOf } from "../partition.ts";

/** Where certificates are: those of one account and region are not seen from another. */
export interface Place {
  readonly account: string;
  readonly region: string;
}

/** What the ARNs of all certificates of a place begin with. */
export function certificatePrefix({ account, region }: Place): string {
  return `arn:${partitionOf(region)}:acm:${region}:${account}:certificate/`;
}

/** The account that an ARN names. */
export function accountOf(arn: string): string {
  return arn.split(":", 5)[4] ?? "";
}
