import type { Gaps } from "../../infra/tour/kind-tour.ts";

const SCHEDULE = "moto wants days, and does not keep schedules";

const INSIGHTS = "moto does not turn Performance Insights on";

/** What moto does not do as AWS does it, by tour. */
export const TOUR_GAPS: Readonly<Record<string, Gaps>> = {
  DynamoDBTable: {
    fields: {
      tableClass: "moto does not keep it",
      onDemandThroughput: "moto does not keep the limits of tables that are paid by request",
      "serverSideEncryption.enabled": "moto takes encryption at creation only",
      "serverSideEncryption.kmsMasterKeyId": "moto takes encryption at creation only",
    },
    seen: {
      "table.AttributeDefinitions": "moto keeps attributes of indexes that are gone",
      "table.units": "moto keeps the capacity of tables that are paid by request since",
    },
  },
  EC2Instance: {
    fields: {
      userData: "moto decodes user data twice when it is changed",
      monitoring: "moto does not keep it",
      instanceInitiatedShutdownBehavior: "moto does not keep it",
      "metadataOptions.httpProtocolIpv6": "moto does not keep it",
    },
  },
  RDSInstance: {
    fields: {
      optionGroupName: "moto has no option groups of postgres",
      port: "moto does not change it",
      enablePerformanceInsights: INSIGHTS,
      performanceInsightsRetentionPeriod: INSIGHTS,
      databaseInsightsMode: INSIGHTS,
    },
    seen: {
      "instance.MonitoringRoleArn": "moto remembers the role when monitoring is off",
      "instance.NetworkType": "moto tells it only after it was said",
    },
    steps: {
      "is another one after a person's approval, and not before":
        "all instances have one resource id in moto, so the final snapshot of the second has the name of the first's",
    },
  },
  S3Bucket: {
    fields: { requestPayment: "moto takes PutBucketRequestPayment for CreateBucket" },
    seen: {
      encryption: "moto tells what every bucket has only after it was said",
      ownership: "moto tells what every bucket has only after it was said",
    },
  },
  SNSTopic: { fields: { signatureVersion: "moto does not keep it", tracingConfig: "moto does not keep it" } },
  "SNSTopic FIFO": { fields: { fifoThroughputScope: "moto does not keep it" } },
  SQSQueue: { fields: { redriveAllowPolicy: "moto does not keep it" } },
  SecretsManagerSecret: {
    fields: {
      rotationScheduleExpression: SCHEDULE,
      rotationDuration: SCHEDULE,
    },
    seen: {
      "value.text": "moto says that a version became current which it leaves as it is",
      "value.bytes": "moto says that a version became current which it leaves as it is",
    },
  },
};
