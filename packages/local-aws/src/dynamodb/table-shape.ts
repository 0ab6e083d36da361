import type {
  GlobalSecondaryIndexDescription,
  ProvisionedThroughputDescription,
  TableDescription,
} from "@gatewright/aws-wire/types/dynamodb";
import { tableArn } from "./arn.ts";
import { encryptingAt, indexStatusAt, statusAt } from "./life.ts";
import type { GlobalIndexRecord, IndexRecord, TableRecord, Throughput } from "./records.ts";

/** What a table that is paid by request can take from the start. */
const WARM: Throughput = { read: 12_000, write: 4_000 };
const DAY = 24 * 3_600_000;

/** How many items there are, and how many bytes they have, about. */
export interface TableSize {
  readonly items: number;
  readonly bytes: number;
}

/** A table as it is told of. */
export function tableTold(table: TableRecord, now: number, size: TableSize): TableDescription {
  const { name, billing, throughput, localIndexes, indexes, stream, streamLabel, key, tableClass } = table;
  const arn = tableArn(table, name);
  const status = statusAt(table, now);
  const lastPayPerRequest = table.payPerRequest.at(-1);
  const warm = warmOf(table);
  const encrypting = encryptingAt(table, now);
  const encrypted = encrypting?.told ?? key;
  return {
    TableName: name,
    TableArn: arn,
    TableId: table.id,
    TableStatus: status === "gone" ? "DELETING" : status,
    CreationDateTime: table.createdAt,
    AttributeDefinitions: table.definitions,
    KeySchema: table.keys,
    ItemCount: size.items,
    TableSizeBytes: size.bytes,
    ProvisionedThroughput: {
      ...throughputTold(throughput),
      LastIncreaseDateTime: table.increasedAt,
      LastDecreaseDateTime: table.decreases.at(-1),
      NumberOfDecreasesToday: table.decreases.filter((at) => Math.floor(at / DAY) === Math.floor(now / DAY)).length,
    },
    ...(lastPayPerRequest !== undefined && {
      BillingModeSummary: { BillingMode: billing, LastUpdateToPayPerRequestDateTime: lastPayPerRequest },
    }),
    ...(table.onDemand && { OnDemandThroughput: onDemandTold(table.onDemand) }),
    WarmThroughput: { ReadUnitsPerSecond: warm.read, WriteUnitsPerSecond: warm.write, Status: "ACTIVE" },
    ...(localIndexes.length > 0 && {
      LocalSecondaryIndexes: localIndexes.map((index) => ({
        ...indexTold(index, arn),
        ItemCount: size.items,
        IndexSizeBytes: size.bytes,
      })),
    }),
    ...(indexes.length > 0 && {
      GlobalSecondaryIndexes: indexes.map((index) => globalIndexTold(index, arn, now, size)),
    }),
    ...(stream && { StreamSpecification: { StreamEnabled: true, StreamViewType: stream.view } }),
    ...(streamLabel !== undefined && {
      LatestStreamLabel: streamLabel,
      LatestStreamArn: `${arn}/stream/${streamLabel}`,
    }),
    ...(encrypted !== undefined && {
      SSEDescription: { Status: encrypting?.status ?? "ENABLED", SSEType: "KMS", KMSMasterKeyArn: encrypted },
    }),
    ...(tableClass !== undefined && {
      TableClassSummary: { TableClass: tableClass, LastUpdateDateTime: table.classChanges.at(-1) },
    }),
    DeletionProtectionEnabled: table.isProtected,
  };
}

/** What a table can take at once without having grown before. */
export function warmOf({
  warm,
  billing,
  throughput,
}: Pick<TableRecord, "warm" | "billing" | "throughput">): Throughput {
  return warm ?? (billing === "PROVISIONED" && throughput ? throughput : WARM);
}

function globalIndexTold(
  index: GlobalIndexRecord,
  arn: string,
  now: number,
  size: TableSize,
): GlobalSecondaryIndexDescription {
  const status = indexStatusAt(index, now);
  const warm = index.warm ?? index.throughput ?? WARM;
  return {
    ...indexTold(index, arn),
    IndexStatus: status,
    ...(status === "CREATING" && { Backfilling: false }),
    ItemCount: size.items,
    IndexSizeBytes: size.bytes,
    ProvisionedThroughput: throughputTold(index.throughput),
    ...(index.onDemand && { OnDemandThroughput: onDemandTold(index.onDemand) }),
    WarmThroughput: { ReadUnitsPerSecond: warm.read, WriteUnitsPerSecond: warm.write, Status: "ACTIVE" },
  };
}

function indexTold({ name, keys, projection }: IndexRecord, arn: string) {
  return { IndexName: name, KeySchema: keys, Projection: projection, IndexArn: `${arn}/index/${name}` };
}

function throughputTold(throughput: Throughput | undefined): ProvisionedThroughputDescription {
  return {
    NumberOfDecreasesToday: 0,
    ReadCapacityUnits: throughput?.read ?? 0,
    WriteCapacityUnits: throughput?.write ?? 0,
  };
}

function onDemandTold({ read = -1, write = -1 }: Partial<Throughput>) {
  return { MaxReadRequestUnits: read, MaxWriteRequestUnits: write };
}
