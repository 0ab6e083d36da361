import type { s3 } from "@gatewright/aws";
import type { Json } from "@gatewright/kube";
import type { SectionOf } from "../bucket-spec.ts";
import { compact } from "./compact.ts";

/** Where logs go, as S3 takes it. */
export function loggingToAws(logging: SectionOf<"logging">): s3.LoggingEnabled {
  const { targetBucket, targetPrefix, partitionDateSource: source } = logging;
  return {
    TargetBucket: targetBucket,
    TargetPrefix: targetPrefix,
    ...(source !== undefined && { TargetObjectKeyFormat: { PartitionedPrefix: { PartitionDateSource: source } } }),
  };
}

/** Where logs go, as specs say it. */
export function loggingToSpec(logging: s3.LoggingEnabled): Json {
  return compact({
    targetBucket: logging.TargetBucket,
    targetPrefix: logging.TargetPrefix,
    partitionDateSource: logging.TargetObjectKeyFormat?.PartitionedPrefix?.PartitionDateSource,
  });
}
