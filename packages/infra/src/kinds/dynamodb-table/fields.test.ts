import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  ListTagsOfResourceCommand,
} from "@aws-sdk/client-dynamodb";
import type { Json, JsonObject } from "@gatewright/kube";
import { DynamoDBTable } from "@gatewright/resources";
import { anyKind } from "../../engine/aws-kind.ts";
import { fieldsRoundTrip } from "../testing/fields-round-trip.ts";
import type { KindStage } from "../testing/kind-stage.ts";
import { kindWorld } from "../testing/kind-world.ts";
import { dynamodbTable } from "./index.ts";

const each = (name: string, ...values: readonly Json[]): JsonObject[] => values.map((value) => ({ [name]: value }));
const units = (readCapacityUnits: number, writeCapacityUnits: number) => ({ readCapacityUnits, writeCapacityUnits });
const provisioned = (read: number, write: number): JsonObject => ({
  billingMode: "PROVISIONED",
  provisionedThroughput: units(read, write),
});
const key = (digit: string): string => `${digit.repeat(8)}-1111-2222-3333-444444444444`;
const attribute = (name: string, type = "S") => ({ name, type });

fieldsRoundTrip({
  kind: anyKind(dynamodbTable),
  definition: DynamoDBTable,
  // An hour is a few seconds, and a day a few minutes.
  open: () => kindWorld({ listening: true, pace: { durations: 0.001, lag: false } }),
  base: (number) => ({ tableName: `sample-${number}`, hashKey: { name: "id", type: "S" } }),
  samples: {
    billingMode: [provisioned(5, 5), { billingMode: "PAY_PER_REQUEST" }],
    provisionedThroughput: [provisioned(1, 1), provisioned(10, 2), provisioned(5, 20)],
    onDemandThroughput: each(
      "onDemandThroughput",
      { maxReadRequestUnits: 10 },
      { maxReadRequestUnits: 10, maxWriteRequestUnits: 20 },
      { maxWriteRequestUnits: 5 },
    ),
    globalSecondaryIndexes: [
      {
        attributes: [attribute("who"), attribute("at", "N")],
        globalSecondaryIndexes: [
          { indexName: "by-who", hashKey: "who", rangeKey: "at", projectionType: "ALL" },
          { indexName: "by-id", hashKey: "id", projectionType: "KEYS_ONLY" },
        ],
      },
      {
        attributes: [attribute("who", "B"), attribute("at", "N")],
        globalSecondaryIndexes: [
          {
            indexName: "by-who",
            hashKey: "who",
            projectionType: "INCLUDE",
            nonKeyAttributes: ["x", "a"],
            onDemandThroughput: { maxReadRequestUnits: 7 },
          },
          { indexName: "by-at", hashKey: "at", rangeKey: "id", projectionType: "ALL" },
        ],
      },
      {
        ...provisioned(5, 5),
        attributes: [attribute("who")],
        globalSecondaryIndexes: [
          { indexName: "by-who", hashKey: "who", projectionType: "ALL", provisionedThroughput: units(2, 3) },
        ],
      },
      {
        ...provisioned(5, 5),
        attributes: [attribute("who")],
        globalSecondaryIndexes: [
          { indexName: "by-who", hashKey: "who", projectionType: "ALL", provisionedThroughput: units(4, 3) },
        ],
      },
    ],
    streamEnabled: each("streamEnabled", true, false),
    streamViewType: each("streamViewType", "KEYS_ONLY", "NEW_IMAGE", "NEW_AND_OLD_IMAGES").map((piece) => ({
      ...piece,
      streamEnabled: true,
    })),
    pointInTimeRecovery: each("pointInTimeRecovery", true, false),
    recoveryPeriodInDays: each("recoveryPeriodInDays", 1, 7, 35).map((piece) => ({
      ...piece,
      pointInTimeRecovery: true,
    })),
    timeToLive: each(
      "timeToLive",
      { enabled: true, attributeName: "ends" },
      { enabled: true, attributeName: "over" },
      { enabled: false, attributeName: "over" },
    ),
    "serverSideEncryption.enabled": each("serverSideEncryption", { enabled: true }, { enabled: false }),
    "serverSideEncryption.kmsMasterKeyId": each(
      "serverSideEncryption",
      { enabled: true, kmsMasterKeyId: key("a") },
      { enabled: true, kmsMasterKeyId: `arn:aws:kms:eu-west-1:000000000000:key/${key("b")}` },
      { enabled: true, kmsMasterKeyId: key("c") },
    ),
    deletionProtection: each("deletionProtection", true, false),
  },
  twoValued: ["billingMode"],
  except: { tableClass: "AWS lets it change twice in 30 days: tested by itself" },
  walks: 4,
  look,
  normal,
});

/** Ceilings that were taken away are told as -1 from then on. */
function normal(state: unknown): unknown {
  const none = '"OnDemandThroughput":{"MaxReadRequestUnits":-1,"MaxWriteRequestUnits":-1}';
  return JSON.parse(JSON.stringify(state).replaceAll(`${none},`, "").replaceAll(`,${none}`, ""));
}

/** All that DynamoDB tells of a table, but for ids and what is history. */
async function look(stage: KindStage, id: string): Promise<unknown> {
  const dynamodb = new DynamoDBClient(stage.sdk());
  const TableName = id;
  const { Table } = await dynamodb.send(new DescribeTableCommand({ TableName }));
  const { ContinuousBackupsDescription } = await dynamodb.send(new DescribeContinuousBackupsCommand({ TableName }));
  const { TimeToLiveDescription } = await dynamodb.send(new DescribeTimeToLiveCommand({ TableName }));
  const { Tags = [] } = await dynamodb.send(new ListTagsOfResourceCommand({ ResourceArn: Table?.TableArn }));
  const {
    TableId: _,
    CreationDateTime: __,
    LatestStreamArn: ___,
    LatestStreamLabel: ____,
    BillingModeSummary,
    ProvisionedThroughput,
    AttributeDefinitions = [],
    GlobalSecondaryIndexes = [],
    ...rest
  } = Table ?? {};
  const { PointInTimeRecoveryStatus: recovery, RecoveryPeriodInDays: days } =
    ContinuousBackupsDescription?.PointInTimeRecoveryDescription ?? {};
  const { TimeToLiveStatus: ending = "", AttributeName } = TimeToLiveDescription ?? {};
  const isEnding = ending.startsWith("ENABL");
  return {
    ...rest,
    billing: BillingModeSummary?.BillingMode ?? "PROVISIONED",
    units: [ProvisionedThroughput?.ReadCapacityUnits, ProvisionedThroughput?.WriteCapacityUnits],
    definitions: AttributeDefinitions.map(
      ({ AttributeName: name, AttributeType: type }) => `${name} ${type}`,
    ).toSorted(),
    indexes: GlobalSecondaryIndexes.toSorted((one, other) =>
      String(one.IndexName) < String(other.IndexName) ? -1 : 1,
    ),
    recovery: [recovery, days],
    ending: isEnding ? AttributeName : "never",
    tags: Tags.map(({ Key, Value }) => `${Key}=${Value}`).toSorted(),
  };
}
