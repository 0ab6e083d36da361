import type { KindTour } from "../kind-tour.ts";
import { s3BucketTour } from "./s3-bucket.ts";
import { fifoQueueTour, sqsQueueTour } from "./sqs-queue.ts";

/** The tours of all kinds. */
export const TOURS: readonly KindTour[] = [s3BucketTour, sqsQueueTour, fifoQueueTour];
