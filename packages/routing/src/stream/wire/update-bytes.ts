import { toBinary } from "@bufbuild/protobuf";
import { TimestampSchema, timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { ObjectKind } from "@gatewright/gateway";
import { operatorApi } from "@gatewright/gateway-wire";
import type { Deliverable } from "../../model/deliverable.ts";
import { MessageBytes } from "./message-bytes.ts";
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
  const message = new MessageBytes();
  const timestamp = timestampBytes(head.at);
  message.number(UPDATE.type.number, TYPES[body.does]);
  message.text(UPDATE.version.number, head.version);
  message.bytes(UPDATE.timestamp.number, timestamp);
  switch (body.does) {
    case "replace":
      message.bytes(UPDATE.snapshot.number, snapshotBytes(body.set, head.version, timestamp));
      break;
    case "change":
      for (const one of body.set) message.bytes(UPDATE.set.number, resourceBytes(one));
      for (const one of body.removed) message.bytes(UPDATE.removed.number, nameBytes(one));
      break;
    case "delete":
      message.bytes(UPDATE.resource.number, nameBytes(body.one));
      break;
    default:
      message.bytes(UPDATE.resource.number, resourceBytes(body.one));
  }
  message.number(UPDATE.sequence.number, head.sequence);
  if (head.isLast) message.number(UPDATE.isLastInBatch.number, 1);
  return message.finish();
}

let lastTimestamp: { readonly at: number; readonly bytes: Uint8Array } | undefined;

/** A moment in bytes. Many updates are of the same one. */
export function timestampBytes(at: number): Uint8Array {
  if (lastTimestamp?.at !== at) lastTimestamp = { at, bytes: toBinary(TimestampSchema, timestampFromMs(at)) };
  return lastTimestamp.bytes;
}

/** A snapshot in bytes. */
export function snapshotBytes(set: readonly Deliverable[], version: string, timestamp: Uint8Array): Uint8Array {
  const byKind = Map.groupBy(set, ({ kind }) => kind);
  const message = new MessageBytes();
  message.text(SNAPSHOT.version.number, version);
  message.bytes(SNAPSHOT.timestamp.number, timestamp);
  for (const [kind, field] of LISTS) for (const one of byKind.get(kind) ?? []) message.bytes(field, resourceBytes(one));
  message.number(SNAPSHOT.totalResources.number, set.length);
  return message.finish();
}
