import { DynamoDBTable } from "@gatewright/resources";
import type { AwsKind } from "../../engine/aws-kind.ts";
import { changeTable, createTable, removeTable, tagTable } from "./calls.ts";
import { TABLE_FIELDS } from "./fields.ts";
import { readTable } from "./read.ts";
import { tableState } from "./state.ts";
import type { Table } from "./table.ts";

/** A table of DynamoDB. Its name is its id. */
export const dynamodbTable: AwsKind<DynamoDBTable, Table> = {
  resource: DynamoDBTable,
  finalizer: "aws-infra-operator.runner.codes/dynamodbtable-finalizer",
  service: "dynamodb",
  tagType: "dynamodb:table",
  holdsData: true,
  driftMs: 30 * 60_000,
  // Names make creation safe to repeat.
  lagMs: 5_000,
  nameOf: ({ tableName }) => tableName,
  idOf: (arn) => arn.slice(arn.indexOf("/") + 1),
  fields: TABLE_FIELDS,
  outputsInStatus: { arn: "tableARN", streamArn: "streamARN" },
  read: readTable,
  create: createTable,
  change: changeTable,
  tag: tagTable,
  remove: removeTable,
  idIn: ({ name }) => name,
  tagsOf: ({ tags }) => tags,
  stateOf: tableState,
  statusOf: (table) => ({
    tableARN: table.arn,
    tableStatus: table.status,
    itemCount: table.items,
    tableSizeBytes: table.bytes,
    ...(table.streamArn !== undefined && { streamARN: table.streamArn }),
  }),
  outputsOf: ({ arn, name, streamArn }) => ({ arn, name, ...(streamArn !== undefined && { streamArn }) }),
};
