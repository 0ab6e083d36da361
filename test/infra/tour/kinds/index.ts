import type { KindTour } from "../kind-tour.ts";
import { dynamodbTableTour } from "./dynamodb-table.ts";
import { ec2InstanceTour } from "./ec2-instance.ts";
import { ecrRepositoryTour } from "./ecr-repository.ts";
import { iamRoleTour } from "./iam-role.ts";
import { rdsInstanceTour } from "./rds-instance.ts";
import { s3BucketTour } from "./s3-bucket.ts";
import { secretsManagerSecretTour } from "./secrets-manager-secret.ts";
import { fifoTopicTour, snsTopicTour } from "./sns-topic.ts";
import { fifoQueueTour, sqsQueueTour } from "./sqs-queue.ts";

/** The tours of all kinds. */
export const TOURS: readonly KindTour[] = [
  dynamodbTableTour,
  ec2InstanceTour,
  ecrRepositoryTour,
  iamRoleTour,
  rdsInstanceTour,
  s3BucketTour,
  secretsManagerSecretTour,
  snsTopicTour,
  fifoTopicTour,
  sqsQueueTour,
  fifoQueueTour,
];
