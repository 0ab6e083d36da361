import { createHash } from "node:crypto";
import { create, toBinary } from "@bufbuild/protobuf";
import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { AnySchema } from "@bufbuild/protobuf/wkt";
import type { DeliverableKey } from "../model/deliverable.ts";

/** One resource as it goes to every client that asks for it: encoded once. */
export interface Resource {
  readonly name: string;
  /** Hash of its content. */
  readonly version: string;
  /** A `google.protobuf.Any`, encoded. */
  readonly any: Uint8Array;
  /** What it was made of: whom a client's refusal concerns. */
  readonly keys: readonly DeliverableKey[];
}

/** Encodes a resource. */
export function resourceOf<Desc extends DescMessage>(
  schema: Desc,
  name: string,
  message: MessageShape<Desc>,
  keys: readonly DeliverableKey[],
): Resource {
  return encodedResource(schema.typeName, name, toBinary(schema, message), keys);
}

/** A resource whose content is encoded already. */
export function encodedResource(
  typeName: string,
  name: string,
  value: Uint8Array,
  keys: readonly DeliverableKey[],
): Resource {
  const any = toBinary(AnySchema, create(AnySchema, { typeUrl: `type.googleapis.com/${typeName}`, value }));
  return { name, version: createHash("sha256").update(value).digest("base64url").slice(0, 22), any, keys };
}
