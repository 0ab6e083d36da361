import type { BuiltinType } from "../builtin/builtin-type.ts";
import { structLayout } from "../builtin/layout.ts";
import { refusedBody } from "../builtin/refused-body.ts";
import { definitionOfKind, tableDefinition } from "../builtin/table.ts";
import { formatGroupVersion, parseGroupVersion } from "../group-version.ts";
import type { GroupVersion } from "../group-version.ts";
import { unrecognizedBody } from "../json/body-error.ts";
import type { JsonObject } from "../json/json.ts";
import { decodeMessage } from "./decode-message.ts";
import { WireError, WireReader } from "./wire.ts";

const PREFIX = [0x6b, 0x38, 0x73, 0x00];

/** A protobuf body of a built-in kind, as JSON would carry it. */
export interface DecodedProtobuf {
  readonly apiVersion: string;
  readonly kind: string;
  /** With `kind` and `apiVersion` first, then the fields in the server's order. */
  readonly object: JsonObject;
}

/** The kind that a body should be of; without a version, its own type metadata must tell. */
interface ExpectedKind extends Partial<GroupVersion> {
  readonly kind: string;
}

/**
 * Reads a body in Kubernetes' protobuf envelope. `expected` is the kind of the resource that is written: it stands in for
 * type metadata that the body leaves out, and is named in refusals. A body of another known kind is decoded all the same,
 * so that the caller can say what is wrong with it.
 *
 * Throws 400 with the server's words when the bytes are no such message or the kind is not built in.
 */
export function decodeProtobuf(bytes: Uint8Array, expected: ExpectedKind): DecodedProtobuf {
  const envelope = readEnvelope(bytes, expected.kind);
  const kind = envelope.kind || expected.kind;
  const { group = "", version = "" } = expected;
  const gv = envelope.apiVersion === "" ? { group, version } : parseGroupVersion(envelope.apiVersion);
  const apiVersion = gv ? formatGroupVersion(gv) : envelope.apiVersion;
  const given = [gv?.group ?? "", gv?.version ?? apiVersion, kind];
  const definition = gv && definitionOfKind(gv.group, gv.version, kind);
  if (definition === undefined) {
    const why = `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`;
    throw refusedBody("", given, why, expected.kind);
  }
  const object = decodeRaw(envelope.raw, definition, given, expected.kind);
  return { apiVersion, kind, object: { kind, apiVersion, ...object } };
}

/**
 * Reads a body in the envelope as one type, whatever its type metadata says: request options travel without any. Throws
 * 400 as {@link decodeProtobuf} does.
 */
export function decodeProtobufAs(bytes: Uint8Array, type: BuiltinType): JsonObject {
  const given = tableDefinition(type.definition)?.gvk ?? [];
  const kind = given[2] ?? structLayout(type.definition).go;
  return decodeRaw(readEnvelope(bytes, kind).raw, type.definition, given, kind);
}

function decodeRaw(raw: Uint8Array, definition: string, given: readonly string[], expected: string): JsonObject {
  try {
    return decodeMessage(new WireReader(raw), structLayout(definition));
  } catch (error) {
    if (error instanceof WireError) throw refusedBody(definition, given, error.message, expected);
    throw error;
  }
}

interface Envelope {
  readonly apiVersion: string;
  readonly kind: string;
  readonly raw: Uint8Array;
}

function readEnvelope(bytes: Uint8Array, expected: string): Envelope {
  const refuse = (why: string): Error => unrecognizedBody(expected, why, bytes);
  if (bytes.length === 0) throw refuse("empty data");
  if (PREFIX.some((byte, at) => bytes[at] !== byte)) {
    throw refuse(`provided data does not appear to be a protobuf message, expected prefix [${PREFIX.join(" ")}]`);
  }
  if (bytes.length === PREFIX.length) throw refuse("empty body");
  try {
    return readUnknown(new WireReader(bytes, PREFIX.length));
  } catch (error) {
    if (error instanceof WireError) throw refuse(error.message);
    throw error;
  }
}

function readUnknown(reader: WireReader): Envelope {
  let [apiVersion, kind] = ["", ""];
  let raw: Uint8Array = new Uint8Array();
  while (!reader.done) {
    const { number, wire } = reader.tag("Unknown");
    if (number === 1) {
      for (const meta = reader.message(); !meta.done;) {
        const tag = meta.tag("TypeMeta");
        if (tag.number === 1) apiVersion = meta.string();
        else if (tag.number === 2) kind = meta.string();
        else meta.skip(tag.wire);
      }
    } else if (number === 2) raw = reader.bytes();
    else reader.skip(wire);
  }
  return { apiVersion, kind, raw };
}
