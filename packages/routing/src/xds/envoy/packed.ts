import { create, toBinary } from "@bufbuild/protobuf";
import type { DescMessage, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { Any, Duration } from "@bufbuild/protobuf/wkt";
import { AnySchema, DurationSchema } from "@bufbuild/protobuf/wkt";

/** The fields of a message, as they are given to make one. */
export type Init<Desc extends DescMessage> = Exclude<MessageInitShape<Desc>, MessageShape<Desc>>;

/** A message as `google.protobuf.Any`. */
export function packed<Desc extends DescMessage>(schema: Desc, init: MessageInitShape<Desc>): Any {
  const value = toBinary(schema, create(schema, init));
  return create(AnySchema, { typeUrl: `type.googleapis.com/${schema.typeName}`, value });
}

/** `google.protobuf.Duration` of so many milliseconds. */
export function durationOf(ms: number): Duration {
  const seconds = Math.trunc(ms / 1000);
  return create(DurationSchema, { seconds: BigInt(seconds), nanos: Math.round((ms - seconds * 1000) * 1e6) });
}
