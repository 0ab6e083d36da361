import type { Gaps } from "../../infra/tour/kind-tour.ts";

/** What moto does not do as AWS does it. Each is tried all the same, and has to fail. */
export const TOUR_GAPS: Gaps = {
  DynamoDBTable: {
    onDemandThroughput: "moto does not keep the limits of tables that are paid by request",
    streamEnabled: "moto never tells that the change of a stream is done",
    streamViewType: "moto never tells that the change of a stream is done",
    "serverSideEncryption.enabled": "moto takes encryption at creation only",
    "serverSideEncryption.kmsMasterKeyId": "moto takes encryption at creation only",
  },
  S3Bucket: { requestPayment: "moto takes PutBucketRequestPayment for CreateBucket" },
  SNSTopic: {
    signatureVersion: "moto does not keep it",
    tracingConfig: "moto does not keep it",
  },
  "SNSTopic FIFO": { fifoThroughputScope: "moto does not keep it" },
  SQSQueue: { redriveAllowPolicy: "moto does not keep it" },
  SecretsManagerSecret: {
    description: "moto takes the token of an update without a value for a version that exists",
    kmsKeyId: "moto takes the token of an update without a value for a version that exists",
    rotationEnabled: "moto calls the function, which is not there",
    rotationLambdaARN: "moto calls the function, which is not there",
    automaticallyAfterDays: "moto calls the function, which is not there",
    rotationScheduleExpression: "moto calls the function, which is not there",
    rotationDuration: "moto calls the function, which is not there",
  },
};
