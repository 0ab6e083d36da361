import type { MessageAttributeValue } from "@gatewright/aws-wire/types/sqs";
import { isBinary } from "./message-md5.ts";
import type { MessageAttribute } from "./records.ts";
import { invalidParameter } from "./refusals.ts";

const MOST = 10;
const NAME = /^[A-Za-z0-9_.-]{1,256}$/;
const TYPE = /^(?:String|Number|Binary)(?:\.[\s\S]{1,249})?$/;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** Reads what a sender gave. Throws what SQS refuses. */
export function readAttributes(given: Readonly<Record<string, MessageAttributeValue>>): readonly MessageAttribute[] {
  const entries = Object.entries(given);
  if (entries.length > MOST) {
    throw invalidParameter(`Number of message attributes [${entries.length}] exceeds the allowed maximum [${MOST}].`);
  }
  return entries.map(([name, { DataType: type, StringValue, BinaryValue }]) => {
    const lower = name.toLowerCase();
    if (!NAME.test(name) || /^\.|\.$|\.\./.test(name) || lower.startsWith("aws.") || lower.startsWith("amazon.")) {
      throw invalidParameter(`The message attribute name '${name.slice(0, 256)}' is invalid.`);
    }
    if (!TYPE.test(type)) {
      throw invalidParameter(
        `The type of message (user) attribute '${name}' is invalid. You must use only the following supported type prefixes: Binary, Number, String.`,
      );
    }
    const value = isBinary(type) ? BinaryValue && Buffer.from(BinaryValue).toString("base64") : StringValue;
    if (value === undefined || value === "") {
      const base = type.split(".")[0];
      throw invalidParameter(
        `The message attribute '${name}' must contain non-empty message attribute value for message attribute type '${base}'.`,
      );
    }
    if (type.startsWith("Number") && !NUMBER.test(value)) {
      throw invalidParameter(`Can't cast the value of message (user) attribute '${name}' to a number.`);
    }
    return { name, type, value };
  });
}

/** The attributes whose names a receiver asked for: by name, by `prefix.*`, or all of them. */
export function chosenAttributes(
  attributes: readonly MessageAttribute[],
  wanted: readonly string[],
): readonly MessageAttribute[] {
  const all = wanted.some((name) => name === "All" || name === ".*");
  return attributes.filter(
    ({ name }) =>
      all || wanted.some((each) => each === name || (each.endsWith(".*") && name.startsWith(each.slice(0, -1)))),
  );
}

/** An attribute as the wire has it. */
export function attributeValue({ type, value }: MessageAttribute): MessageAttributeValue {
  return isBinary(type)
    ? { DataType: type, BinaryValue: new Uint8Array(Buffer.from(value, "base64")) }
    : { DataType: type, StringValue: value };
}

/** What attributes count towards the size of a message. */
export function attributesSize(attributes: readonly MessageAttribute[]): number {
  return attributes.reduce(
    (sum, { name, type, value }) =>
      sum +
      Buffer.byteLength(name) +
      Buffer.byteLength(type) +
      Buffer.byteLength(value, isBinary(type) ? "base64" : "utf8"),
    0,
  );
}
