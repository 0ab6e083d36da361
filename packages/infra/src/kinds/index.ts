import { anyKind } from "../engine/aws-kind.ts";
import type { AnyKind } from "../engine/aws-kind.ts";
import { rdsInstance } from "./rds-instance/index.ts";
import { snsTopic } from "./sns-topic/index.ts";
import { sqsQueue } from "./sqs-queue/index.ts";

/** Every kind of AWS resource. */
export const ALL_KINDS: readonly AnyKind[] = [anyKind(rdsInstance), anyKind(snsTopic), anyKind(sqsQueue)];
