import { DynamoDBTable } from "@gatewright/resources";
import type { Json } from "@gatewright/kube";
import { tagsIn, textIn, within } from "../cli.ts";
import type { Cli } from "../cli.ts";
import type { KindTour } from "../kind-tour.ts";
import { managed } from "../managed.ts";

const on = (cli: Cli, command: string, table: string, ...rest: (string | object)[]) =>
  cli.askUnless(/^ResourceNotFoundException$/, `dynamodb ${command} --table-name ${table}`, ...rest);
const KEY = "arn:aws:kms:eu-west-1:000000000000:key/11111111-1111-2222-3333-444444444444";
/** What time does, or tells of it. */
const PAST = [
  "BillingModeSummary",
  "ProvisionedThroughput",
  "LatestStreamArn",
  "LatestStreamLabel",
  "TableClassSummary",
  "OnDemandThroughput",
];

export const dynamodbTableTour: KindTour = {
  title: "DynamoDBTable",
  resource: managed(DynamoDBTable),
  find: async (cli, table) => ((await on(cli, "describe-table", table)) === undefined ? undefined : table),
  looks: {
    async table(cli, table) {
      const told = within(await on(cli, "describe-table", table), "Table") as Readonly<Record<string, Json>>;
      return {
        ...Object.fromEntries(Object.entries(told).filter(([key]) => !PAST.includes(key))),
        billing: within(told, "BillingModeSummary", "BillingMode") ?? "PROVISIONED",
        units: ["ReadCapacityUnits", "WriteCapacityUnits"].map(
          (each) => within(told as Json, "ProvisionedThroughput", each) ?? 0,
        ),
        most: ["MaxReadRequestUnits", "MaxWriteRequestUnits"].map(
          (each) => within(told as Json, "OnDemandThroughput", each) ?? -1,
        ),
        class: within(told, "TableClassSummary", "TableClass") ?? "STANDARD",
      };
    },
    async backups(cli, table) {
      const told = await on(cli, "describe-continuous-backups", table);
      const { PointInTimeRecoveryStatus: status, RecoveryPeriodInDays: days = null } = within(
        told,
        "ContinuousBackupsDescription",
        "PointInTimeRecoveryDescription",
      ) as Readonly<Record<string, Json>>;
      return { status: status ?? null, days };
    },
    ending: async (cli, table) => {
      const told = await on(cli, "describe-time-to-live", table);
      const isOn = within(told, "TimeToLiveDescription", "TimeToLiveStatus") === "ENABLED";
      return isOn ? within(told, "TimeToLiveDescription", "AttributeName") : "never";
    },
  },
  async tags(cli, table) {
    const arn = textIn(await on(cli, "describe-table", table), "Table", "TableArn");
    return tagsIn(within(await cli.ask(`dynamodb list-tags-of-resource --resource-arn ${arn}`), "Tags"));
  },
  open: async () => ({
    spec: (tableName) => ({ tableName, hashKey: { name: "id", type: "S" }, deletionProtection: false }),
    made: {
      table: {
        TableStatus: "ACTIVE",
        billing: "PAY_PER_REQUEST",
        KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
        DeletionProtectionEnabled: false,
      },
      backups: { status: "DISABLED" },
      ending: "never",
    },
    replacement: {
      put: { hashKey: { name: "customer", type: "S" } },
      sees: { table: { KeySchema: [{ AttributeName: "customer", KeyType: "HASH" }] } },
    },
    changes: [
      {
        field: "streamEnabled",
        put: { streamEnabled: true, streamViewType: "KEYS_ONLY" },
        sees: { table: { StreamSpecification: { StreamEnabled: true } } },
      },
      {
        field: "streamViewType",
        put: { streamEnabled: true, streamViewType: "KEYS_ONLY" },
        sees: { table: { StreamSpecification: { StreamViewType: "KEYS_ONLY" } } },
      },
      {
        field: "deletionProtection",
        put: { deletionProtection: true },
        sees: { table: { DeletionProtectionEnabled: true } },
      },
      { field: "pointInTimeRecovery", put: { pointInTimeRecovery: true }, sees: { backups: { status: "ENABLED" } } },
      {
        field: "recoveryPeriodInDays",
        put: { pointInTimeRecovery: true, recoveryPeriodInDays: 7 },
        sees: { backups: { status: "ENABLED", days: 7 } },
      },
      { field: "timeToLive", put: { timeToLive: { attributeName: "ends" } }, sees: { ending: "ends" } },
      {
        field: "onDemandThroughput",
        put: { onDemandThroughput: { maxReadRequestUnits: 10, maxWriteRequestUnits: 20 } },
        sees: { table: { most: [10, 20] } },
      },
      {
        field: "globalSecondaryIndexes",
        put: {
          attributes: [{ name: "who", type: "S" }],
          globalSecondaryIndexes: [{ indexName: "by-who", hashKey: "who", projectionType: "KEYS_ONLY" }],
        },
        sees: {
          table: {
            GlobalSecondaryIndexes: [
              { IndexName: "by-who", IndexStatus: "ACTIVE", Projection: { ProjectionType: "KEYS_ONLY" } },
            ],
          },
        },
      },
      {
        field: "serverSideEncryption.enabled",
        put: { serverSideEncryption: { enabled: true } },
        sees: { table: { SSEDescription: { Status: "ENABLED", SSEType: "KMS" } } },
      },
      {
        field: "billingMode",
        put: { billingMode: "PROVISIONED", provisionedThroughput: { readCapacityUnits: 5, writeCapacityUnits: 5 } },
        sees: { table: { billing: "PROVISIONED" } },
      },
      {
        field: "provisionedThroughput",
        put: { billingMode: "PROVISIONED", provisionedThroughput: { readCapacityUnits: 7, writeCapacityUnits: 5 } },
        sees: { table: { units: [7, 5] } },
      },
    ],
    noWayBack: [
      {
        field: "tableClass",
        put: { tableClass: "STANDARD_INFREQUENT_ACCESS" },
        sees: { table: { class: "STANDARD_INFREQUENT_ACCESS" } },
      },
      {
        field: "serverSideEncryption.kmsMasterKeyId",
        put: {
          tableClass: "STANDARD_INFREQUENT_ACCESS",
          serverSideEncryption: { enabled: true, kmsMasterKeyId: KEY },
        },
        sees: { table: { SSEDescription: { KMSMasterKeyArn: KEY } } },
      },
    ],
  }),
  drift: {
    by: (cli, table) => on(cli, "update-table", table, "--deletion-protection-enabled"),
    sees: { table: { DeletionProtectionEnabled: true } },
  },
  makeByHand: (cli, table) =>
    cli.ask(
      `dynamodb create-table --tags Key=team,Value=old --billing-mode PAY_PER_REQUEST --attribute-definitions AttributeName=id,AttributeType=S --key-schema AttributeName=id,KeyType=HASH --table-name ${table}`,
    ),
  hold: { put: { deletionProtection: true }, reason: "DeletionProtected", letGo: { deletionProtection: false } },
  isReplaceable: true,
};
