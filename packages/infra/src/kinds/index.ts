import { anyKind } from "../engine/aws-kind.ts";
import type { AnyKind } from "../engine/aws-kind.ts";
import { sqsQueue } from "./sqs-queue/index.ts";

/** Every kind of AWS resource. */
export const ALL_KINDS: readonly AnyKind[] = [anyKind(sqsQueue)];
