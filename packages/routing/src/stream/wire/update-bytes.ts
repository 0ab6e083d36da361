import { toBinary } from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { TimestampSchema, timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { ObjectKind } from "@gatewright/gateway";
import { operatorApi } from "@gatewright/gateway-wire";
import type { Deliverable } from "../../model/deliverable.ts";
import { nameBytes, resourceBytes } from "./resource-bytes.ts";

const { UpdateType, ConfigurationUpdateSchema, ConfigurationSnapshotSchema } = operatorApi;
const UPDATE = ConfigurationUpdateSchema.field;
const SNAPSHOT = ConfigurationSnapshotSchema.field;

const LISTS: readonly (readonly [ObjectKind, number])[] = [
  ["APIRoute", SNAPSHOT.apiRoutes.number],
  ["GRPCRoute", SNAPSHOT.grpcRoutes.number],
  ["Backend", SNAPSHOT.backends.number],
  ["GRPCBackend", SNAPSHOT.grpcBackends.number],
  ["GraphQLRoute", SNAPSHOT.graphqlRoutes.number],
  ["GraphQLBackend", SNAPSHOT.graphqlBackends.number],
];

/** What an update does, apart from its version and place. */
export type UpdateBody =
  | { readonly does: "replace"; readonly set: readonly Deliverable[] }
  | { readonly does: "change"; readonly set: readonly Deliverable[]; readonly removed: readonly Deliverable[] }
  | { readonly does: "add" | "modify" | "delete"; readonly one: Deliverable };

const TYPES: Readonly<Record<UpdateBody["does"], operatorApi.UpdateType>> = {
  replace: UpdateType.FULL_SYNC,
  change: UpdateType.MODIFIED,
  add: UpdateType.ADDED,
  modify: UpdateType.MODIFIED,
  delete: UpdateType.DELETED,
};

/** An update in bytes. Deliverables in it are encoded once for all gateways; what is made here is what differs between them. */
export function updateBytes(
  body: UpdateBody,
  head: { readonly version: string; readonly sequence: bigint; readonly at: number; readonly isLast: boolean },
): Uint8Array {
  const writer = new BinaryWriter();
  const timestamp = toBinary(TimestampSchema, timestampFromMs(head.at));
  writer.tag(UPDATE.type.number, WireType.Varint).int32(TYPES[body.does]);
  writer.tag(UPDATE.version.number, WireType.LengthDelimited).string(head.version);
  writer.tag(UPDATE.timestamp.number, WireType.LengthDelimited).bytes(timestamp);
  const bytes = (field: number, value: Uint8Array): void => {
    writer.tag(field, WireType.LengthDelimited).bytes(value);
  };
  switch (body.does) {
    case "replace":
      bytes(UPDATE.snapshot.number, snapshotBytes(body.set, head.version, timestamp));
      break;
    case "change":
      for (const one of body.set) bytes(UPDATE.set.number, resourceBytes(one));
      for (const one of body.removed) bytes(UPDATE.removed.number, nameBytes(one));
      break;
    case "delete":
      bytes(UPDATE.resource.number, nameBytes(body.one));
      break;
    default:
      bytes(UPDATE.resource.number, resourceBytes(body.one));
  }
  writer.tag(UPDATE.sequence.number, WireType.Varint).int64(head.sequence);
  if (head.isLast) writer.tag(UPDATE.isLastInBatch.number, WireType.Varint).bool(true);
  return writer.finish();
}

/** A snapshot in bytes. */
export function snapshotBytes(set: readonly Deliverable[], version: string, timestamp: Uint8Array): Uint8Array {
  const byKind = Map.groupBy(set, ({ kind }) => kind);
  const writer = new BinaryWriter();
  writer.tag(SNAPSHOT.version.number, WireType.LengthDelimited).string(version);
  writer.tag(SNAPSHOT.timestamp.number, WireType.LengthDelimited).bytes(timestamp);
  for (const [kind, field] of LISTS)
    for (const one of byKind.get(kind) ?? []) writer.tag(field, WireType.LengthDelimited).bytes(resourceBytes(one));
  writer.tag(SNAPSHOT.totalResources.number, WireType.Varint).int32(set.length);
  return writer.finish();
}
