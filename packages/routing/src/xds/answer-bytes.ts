import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import type { Resource } from "./resource.ts";

/** Resources in an answer, and what else it says. */
export interface DeltaAnswer {
  readonly typeUrl: string;
  readonly nonce: string;
  /** For people who debug. */
  readonly systemVersion: string;
  readonly resources: readonly Resource[];
  readonly removed: readonly string[];
}

/** An answer of the state of the world. `body` are its resources, encoded. */
export interface WorldAnswer {
  readonly typeUrl: string;
  readonly nonce: string;
  readonly version: string;
  readonly body: Uint8Array;
}

const NAMED = new WeakMap<Resource, Uint8Array>();

/** `DeltaDiscoveryResponse`, encoded: resources are bytes already, and are copied, not encoded again. */
export function deltaAnswer({ typeUrl, nonce, systemVersion, resources, removed }: DeltaAnswer): Uint8Array {
  const writer = new BinaryWriter();
  writer.tag(1, WireType.LengthDelimited).string(systemVersion);
  for (const resource of resources) writer.tag(2, WireType.LengthDelimited).bytes(named(resource));
  writer.tag(4, WireType.LengthDelimited).string(typeUrl);
  writer.tag(5, WireType.LengthDelimited).string(nonce);
  for (const name of removed) writer.tag(6, WireType.LengthDelimited).string(name);
  return writer.finish();
}

/** `DiscoveryResponse`, encoded. */
export function worldAnswer({ typeUrl, nonce, version, body }: WorldAnswer): Uint8Array {
  const writer = new BinaryWriter();
  writer.tag(1, WireType.LengthDelimited).string(version);
  writer.tag(4, WireType.LengthDelimited).string(typeUrl);
  writer.tag(5, WireType.LengthDelimited).string(nonce);
  return Buffer.concat([body, writer.finish()]);
}

/** The resources of a `DiscoveryResponse`, encoded. */
export function worldBody(resources: Iterable<Resource>): Uint8Array {
  const writer = new BinaryWriter();
  for (const { any } of resources) writer.tag(2, WireType.LengthDelimited).bytes(any);
  return writer.finish();
}

/** `Resource`, encoded once whoever it goes to. */
function named(resource: Resource): Uint8Array {
  let bytes = NAMED.get(resource);
  if (bytes === undefined) {
    const writer = new BinaryWriter();
    writer.tag(1, WireType.LengthDelimited).string(resource.version);
    writer.tag(2, WireType.LengthDelimited).bytes(resource.any);
    writer.tag(3, WireType.LengthDelimited).string(resource.name);
    bytes = writer.finish();
    NAMED.set(resource, bytes);
  }
  return bytes;
}
