import { isObject } from "@gatewright/kube";
import type { Json } from "@gatewright/kube";

/** What moto is known not to do as AWS does it, by kind and field. Each is tried all the same, and has to fail. */
export const MOTO_GAPS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  DynamoDBTable: {
    billingMode: "moto keeps the capacity of a table that is paid by request since",
    provisionedThroughput: "moto keeps the capacity of a table that is paid by request since",
    onDemandThroughput: "moto does not keep the limits of tables that are paid by request",
    globalSecondaryIndexes: "moto does not keep the limits of indexes that are paid by request",
    streamEnabled: "moto never tells that the change of a stream is done",
    streamViewType: "moto never tells that the change of a stream is done",
    "serverSideEncryption.enabled": "moto takes encryption at creation only",
    "serverSideEncryption.kmsMasterKeyId": "moto takes encryption at creation only",
  },
  EC2Instance: {
    blockDeviceMappings:
      "moto wants the number of operations of every volume of some types, which AWS has a default for",
    iamInstanceProfile: "moto asks for the profile, which is not there",
    instanceInitiatedShutdownBehavior: "moto does not take it back, and then tells no security groups",
    monitoring: "moto does not know MonitorInstances",
    userData: "moto does not take what AWS takes when it is changed",
  },
  IAMRole: { managedPolicyArns: "moto knows only policies that were made in it" },
  RDSInstance: {
    databaseInsightsMode: "moto does not keep performance insights",
    enablePerformanceInsights: "moto does not keep performance insights",
    monitoringInterval: "moto does not take the role of monitoring back",
    monitoringRoleARN: "moto does not take the role of monitoring back",
    networkType: "moto tells it only when it was set",
    optionGroupName: "moto asks for the group, which is not there",
    performanceInsightsRetentionPeriod: "moto does not keep performance insights",
    port: "moto does not change it",
    storageType: "moto keeps the throughput of a type that has none",
  },
  S3Bucket: {
    acl: "moto tells one of the two grants of public-read-write",
    lifecycleRules: "moto does not keep newerNoncurrentVersions, nor sizes beside tags",
    logging: "moto does not keep the form of keys",
    notificationConfiguration: "moto asks for the topics and does not keep all entries",
    replication: "moto does not keep criteria, encryption and time of replication rules",
    requestPayment: "moto takes PutBucketRequestPayment for CreateBucket",
  },
  SNSTopic: {
    fifoThroughputScope: "moto does not keep it",
    signatureVersion: "moto does not keep it",
    tracingConfig: "moto does not keep it",
  },
  SQSQueue: { redriveAllowPolicy: "moto does not keep it" },
  SecretsManagerSecret: {
    description: "moto does not take it away",
    kmsKeyId: "moto does not take it away",
    rotationEnabled: "moto calls the function, which is not there",
    rotationLambdaARN: "moto calls the function, which is not there",
    automaticallyAfterDays: "moto calls the function, which is not there",
    rotationScheduleExpression: "moto calls the function, which is not there",
    rotationDuration: "moto calls the function, which is not there",
  },
};

/** What moto tells otherwise than AWS does and no path can change. */
const NEVER_COMPARED = new Set([
  // Does not follow the capacity.
  "WarmThroughput",
  // New buckets have none of it, so what is not declared is open, not shut.
  "publicAccessBlock",
]);

/** What moto tells of resources otherwise than AWS does, by kind. */
export const MOTO_NORMAL: Readonly<Record<string, (state: unknown) => unknown>> = {
  DynamoDBTable: (state) => plain(state as Json),
  IAMRole: (state) => plain(state as Json),
  SNSTopic: (state) => JSON.parse(withoutEmptyPolicies(JSON.stringify(plain(state as Json)))) as Json,
  S3Bucket: (state) => {
    const seen = state as Readonly<Record<string, Json>>;
    return plain({
      ...seen,
      // New buckets have neither.
      encryption: seen["encryption"] ?? {
        ServerSideEncryptionConfiguration: {
          Rules: [{ ApplyServerSideEncryptionByDefault: { SSEAlgorithm: "AES256" }, BucketKeyEnabled: false }],
        },
      },
      ownership: seen["ownership"] ?? { OwnershipControls: { Rules: [{ ObjectOwnership: "BucketOwnerEnforced" }] } },
    });
  },
};

/** In one order and one spelling: moto gives lists in the order of writing, JSON as it was written, and empty for missing texts. */
function plain(value: Json): Json {
  if (typeof value === "string" && /^\{.*\}$/s.test(value)) return plain(JSON.parse(value) as Json);
  if (Array.isArray(value)) {
    return value.map(plain).toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
  }
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([key, each]) => !NEVER_COMPARED.has(key) && each !== "");
  return Object.fromEntries(kept.map(([key, each]) => [key, plain(each)]));
}

/** Moto tells policies of subscriptions that were taken away as empty ones, with the scope that they had. */
function withoutEmptyPolicies(text: string): string {
  return text.replaceAll(/ (?:(?:Filter|Redrive)Policy=\{\}|FilterPolicyScope=[A-Za-z]+)/g, "");
}
