import { defineResource, immutable, s } from "@gatewright/kube/define";
import type { ObjectOf } from "@gatewright/kube/define";
import { TABLE_RULES } from "./dynamodb-table-rules.ts";
import { INFRA_GROUP } from "./infra-group.ts";
import { deletionPolicy, managedSpec } from "./managed-spec.ts";
import { managedColumns, managedStatus } from "./managed-status.ts";

const attributeName = (description: string) => s.string({ description, minLength: 1, maxLength: 255 });
const units = (description: string) => s.integer({ description, format: "int64", minimum: 1, maximum: 40_000 });
const ceiling = (description: string) =>
  s.integer({ description, format: "int64", minimum: 1, maximum: 2_000_000_000 }).optional();

const attribute = (description: string) =>
  s.object(
    {
      name: attributeName("Name of the attribute."),
      type: s.string({ description: "S for texts, N for numbers, B for bytes.", enum: ["S", "N", "B"] }),
    },
    { description },
  );

const provisionedThroughput = s
  .object(
    {
      readCapacityUnits: units("Reads in a second, of 4 KiB each."),
      writeCapacityUnits: units("Writes in a second, of 1 KiB each."),
    },
    { description: "What is paid for in advance, with billingMode PROVISIONED." },
  )
  .optional();

const onDemandThroughput = s
  .object(
    {
      maxReadRequestUnits: ceiling("Most reads in a second. AWS: no ceiling."),
      maxWriteRequestUnits: ceiling("Most writes in a second. AWS: no ceiling."),
    },
    { description: "Ceilings, with billingMode PAY_PER_REQUEST." },
  )
  .optional();

const indexName = s.string({
  description: "Name of the index.",
  minLength: 3,
  maxLength: 255,
  pattern: "^[A-Za-z0-9_.-]+$",
});
const projection = {
  projectionType: s.string({
    description: "What the index has of items: everything, keys, or keys and nonKeyAttributes.",
    enum: ["ALL", "KEYS_ONLY", "INCLUDE"],
  }),
  nonKeyAttributes: s
    .array(attributeName("Name of an attribute."), {
      description: "With INCLUDE: what it has besides keys.",
      minItems: 1,
      maxItems: 20,
      listType: "set",
    })
    .optional(),
} as const;
const projectionRule = {
  rule: "has(self.nonKeyAttributes) == (self.projectionType == 'INCLUDE')",
  message: "nonKeyAttributes is needed with projectionType INCLUDE, and with nothing else",
} as const;

const globalIndex = s.object(
  {
    indexName,
    hashKey: attributeName("Attribute that items are found by. Must be defined in attributes."),
    rangeKey: attributeName("Attribute that they are ordered by. Must be defined in attributes.").optional(),
    ...projection,
    provisionedThroughput,
    onDemandThroughput,
  },
  {
    description:
      "An index over the whole table. One that is changed, but for its throughput, is removed and made again.",
    rules: [projectionRule],
  },
);

const localIndex = s.object(
  {
    indexName,
    rangeKey: attributeName("Attribute that items of a partition are ordered by. Must be defined in attributes."),
    ...projection,
  },
  { description: "Another order within partitions.", rules: [projectionRule] },
);

/** A table of DynamoDB. */
export const DynamoDBTable = defineResource({
  ...INFRA_GROUP,
  kind: "DynamoDBTable",
  shortNames: ["ddb", "ddbtable"],
  categories: ["aws"],
  scope: "Namespaced",
  description: "A table of Amazon DynamoDB.",
  spec: s.object(
    {
      ...managedSpec,
      tableName: s.string({
        description: "Name of the table.",
        minLength: 3,
        maxLength: 255,
        pattern: "^[A-Za-z0-9_.-]+$",
        rules: [immutable("is immutable: a table of another name is another table")],
      }),
      hashKey: attribute("The partition key. Another one is another table: that waits for approval."),
      rangeKey: attribute("The sort key. Another one is another table: that waits for approval.").optional(),
      attributes: s
        .array(attribute("An attribute."), {
          description:
            "Attributes that keys of indexes are made of. Those of hashKey and rangeKey need not be repeated.",
          maxItems: 50,
          listType: "map",
          listMapKeys: ["name"],
        })
        .optional(),
      billingMode: s
        .string({
          description:
            "How it is paid for. Default: PROVISIONED with provisionedThroughput, PAY_PER_REQUEST without. AWS lets it change to PAY_PER_REQUEST four times a day.",
          enum: ["PROVISIONED", "PAY_PER_REQUEST"],
        })
        .optional(),
      provisionedThroughput,
      onDemandThroughput,
      globalSecondaryIndexes: s
        .array(globalIndex, {
          description: "All indexes over the whole table: others are removed. AWS makes or removes one at a time.",
          maxItems: 20,
          listType: "map",
          listMapKeys: ["indexName"],
        })
        .optional(),
      localSecondaryIndexes: s
        .array(localIndex, {
          description: "Other orders within partitions. Others are another table: that waits for approval.",
          maxItems: 5,
          listType: "map",
          listMapKeys: ["indexName"],
        })
        .optional(),
      streamEnabled: s
        .boolean({ description: "Whether changes of items can be read as a stream. AWS: off." })
        .optional(),
      streamViewType: s
        .string({
          description: "What the stream tells. Default: NEW_AND_OLD_IMAGES. Another one is another stream.",
          enum: ["NEW_IMAGE", "OLD_IMAGE", "NEW_AND_OLD_IMAGES", "KEYS_ONLY"],
        })
        .optional(),
      pointInTimeRecovery: s
        .boolean({ description: "Whether the table can be restored as it was at any second. AWS: off." })
        .optional(),
      recoveryPeriodInDays: s
        .integer({
          description: "With pointInTimeRecovery: how far back. AWS: 35.",
          format: "int32",
          minimum: 1,
          maximum: 35,
        })
        .optional(),
      timeToLive: s
        .object(
          {
            enabled: s.boolean({ description: "Whether items end.", default: true }),
            attributeName: attributeName("Attribute with the second at which an item ends."),
          },
          { description: "Items that end by themselves. AWS lets it change once an hour." },
        )
        .optional(),
      serverSideEncryption: s
        .object(
          {
            enabled: s.boolean({ description: "Whether a key of KMS is used. AWS: a key of DynamoDB's own." }),
            kmsMasterKeyId: s
              .string({
                description:
                  "The key, by id or ARN: AWS does not tell which alias was meant. Default: AWS's own key for DynamoDB.",
                minLength: 1,
                maxLength: 2048,
                pattern: "^(arn:[a-z-]+:kms:[a-z0-9-]+:[0-9]{12}:key/)?(mrk-)?[0-9a-f-]{32,36}$",
              })
              .optional(),
          },
          {
            description: "The key that items are encrypted with.",
            rules: [
              {
                rule: "!has(oldSelf.kmsMasterKeyId) || has(self.kmsMasterKeyId) || !self.enabled",
                message: "kmsMasterKeyId may not be removed once set, unless enabled is false",
              },
              {
                rule: "!has(self.kmsMasterKeyId) || self.enabled",
                message: "kmsMasterKeyId needs enabled: true",
                fieldPath: ".kmsMasterKeyId",
              },
            ],
          },
        )
        .optional(),
      tableClass: s
        .string({
          description: "What storage costs against requests. AWS: STANDARD, and two changes in 30 days.",
          enum: ["STANDARD", "STANDARD_INFREQUENT_ACCESS"],
        })
        .optional(),
      deletionProtection: s
        .boolean({ description: "Whether AWS refuses to delete the table, whoever asks. AWS: off." })
        .optional(),
      deletionPolicy: deletionPolicy(
        ["Delete", "Retain", "Orphan"],
        "Retain",
        " Delete: it goes, with its items. There is no last backup.",
      ),
    },
    {
      rules: TABLE_RULES,
    },
  ),
  status: s.object({
    ...managedStatus,
    tableARN: s.string({ description: "ARN of the table.", maxLength: 2048 }).optional(),
    tableStatus: s.string({ description: "What AWS says of it: ACTIVE, UPDATING.", maxLength: 64 }).optional(),
    itemCount: s.integer({ description: "Items, as AWS last counted them.", format: "int64" }).optional(),
    tableSizeBytes: s.integer({ description: "Bytes, as AWS last counted them.", format: "int64" }).optional(),
    streamARN: s.string({ description: "ARN of the stream, while there is one.", maxLength: 2048 }).optional(),
  }),
  columns: [
    { name: "Table", type: "string", path: ".spec.tableName" },
    { name: "Status", type: "string", path: ".status.tableStatus" },
    { name: "Items", type: "integer", path: ".status.itemCount", priority: 1 },
    ...managedColumns,
  ],
  example: {
    apiVersion: "aws-infra-operator.runner.codes/v1alpha1",
    kind: "DynamoDBTable",
    metadata: { name: "carts", namespace: "default" },
    spec: {
      providerRef: { name: "aws" },
      tableName: "shop-carts",
      billingMode: "PAY_PER_REQUEST",
      hashKey: { name: "customer", type: "S" },
      rangeKey: { name: "addedAt", type: "N" },
      attributes: [{ name: "product", type: "S" }],
      globalSecondaryIndexes: [{ indexName: "by-product", hashKey: "product", projectionType: "KEYS_ONLY" }],
      timeToLive: { enabled: true, attributeName: "endsAt" },
      pointInTimeRecovery: true,
      deletionProtection: true,
      writeOutputsTo: { name: "carts-table", data: { TABLE: "${name}" } },
    },
  },
});

/** {@inheritDoc DynamoDBTable} */
export type DynamoDBTable = ObjectOf<typeof DynamoDBTable>;
