/** All there are. */
export const PARTITIONS = ["aws", "aws-cn", "aws-us-gov", "aws-eusc"] as const;

/** The part of AWS that a region is in. Names of buckets are unique in it, and ARNs begin with it. */
export function partitionOf(region: string): (typeof PARTITIONS)[number] {
  if (region.startsWith("cn-")) return "aws-cn";
  if (region.startsWith("us-gov-")) return "aws-us-gov";
  if (region.startsWith("eusc-")) return "aws-eusc";
  return "aws";
}
