import { assemble, sortedMap, zeroOf } from "../builtin/assemble.ts";
import { structLayout } from "../builtin/layout.ts";
import type { Layout, StructLayout } from "../builtin/layout.ts";
import type { Json, JsonObject } from "../json/json.ts";
import { decodeWord } from "./decode-word.ts";
import { BYTES, FIXED32, FIXED64, VARINT, WireError } from "./wire.ts";
import type { WireReader } from "./wire.ts";

/** Messages inside messages; JSON schemas are the only built-in type that can go on for ever. */
const MAX_DEPTH = 100;

/** Where a field number leads: to a field of the struct, or through an inlined message to several. */
type Slot = { readonly field: number } | { readonly inline: ReadonlyMap<number, Slot> };

const slotsOf = new WeakMap<StructLayout, ReadonlyMap<number, Slot>>();

/**
 * Reads a message as the JSON that the server would show for it. Unknown fields are passed over. Throws
 * {@link WireError}.
 */
export function decodeMessage(reader: WireReader, struct: StructLayout, depth = 0): JsonObject {
  if (depth > MAX_DEPTH) throw new WireError("proto: message is nested too deeply");
  const values: (Json | undefined)[] = new Array(struct.fields.length);
  readFields(reader, struct, slots(struct), values, depth);
  return assemble(
    struct,
    values.map((value) => (value instanceof Entries ? value.toMap() : value)),
  );
}

/** A map on its way in: protobuf sends its entries one by one. A later entry replaces an earlier one. */
class Entries extends Array<Json> {
  readonly byKey = new Map<string, Json>();

  toMap(): JsonObject {
    return sortedMap([...this.byKey]);
  }
}

function readFields(
  reader: WireReader,
  struct: StructLayout,
  known: ReadonlyMap<number, Slot>,
  values: (Json | undefined)[],
  depth: number,
): void {
  while (!reader.done) {
    const { number, wire } = reader.tag(struct.go);
    const slot = known.get(number);
    if (!slot) {
      reader.skip(wire);
    } else if ("inline" in slot) {
      if (wire !== BYTES) throw wrongWire(wire, `inlined message ${number}`);
      readFields(reader.message(), struct, slot.inline, values, depth);
    } else {
      const field = struct.fields[slot.field]!;
      values[slot.field] = readField(reader, wire, field.layout, values[slot.field], field.name, depth);
    }
  }
}

function readField(
  reader: WireReader,
  wire: number,
  layout: Layout,
  before: Json | undefined,
  name: string,
  depth: number,
): Json {
  if (layout.kind === "map") {
    const entries = before instanceof Entries ? before : new Entries();
    if (wire !== BYTES) throw wrongWire(wire, name);
    const { key, value } = readEntry(reader.message(), layout.element, name, depth);
    entries.byKey.set(key, value);
    return entries;
  }
  if (layout.kind === "list" && !layout.wrapped) {
    const list = Array.isArray(before) ? before : [];
    const expected = wireOf(layout.element);
    if (wire === BYTES && expected !== BYTES) {
      for (const packed = reader.message(); !packed.done;) {
        list.push(readValue(packed, expected, layout.element, name, depth));
      }
    } else {
      list.push(readValue(reader, wire, layout.element, name, depth));
    }
    return list;
  }
  return readValue(reader, wire, layout, name, depth);
}

function readEntry(reader: WireReader, element: Layout, name: string, depth: number): { key: string; value: Json } {
  let key = "";
  let value: Json | undefined;
  while (!reader.done) {
    const { number, wire } = reader.tag(name);
    if (number === 1 && wire === BYTES) key = reader.string();
    else if (number === 2) value = readValue(reader, wire, element, name, depth);
    else reader.skip(wire);
  }
  return { key, value: value ?? zeroOf(element) };
}

function readValue(reader: WireReader, wire: number, layout: Layout, name: string, depth: number): Json {
  if (wire !== wireOf(layout)) throw wrongWire(wire, name);
  if (layout.kind === "struct") return decodeMessage(reader.message(), structLayout(layout.name), depth + 1);
  if (layout.kind === "list") return readWrapped(reader.message(), layout.element, name, depth);
  if (layout.kind === "map") throw new WireError(`proto: map without entries for field ${name}`);
  return decodeWord(reader, layout.word, depth);
}

/** A list that travels as a message of its own, its items in field 1. */
function readWrapped(reader: WireReader, element: Layout, name: string, depth: number): Json[] {
  const items: Json[] = [];
  while (!reader.done) {
    const { number, wire } = reader.tag(name);
    if (number === 1) items.push(readValue(reader, wire, element, name, depth));
    else reader.skip(wire);
  }
  return items;
}

function wireOf(layout: Layout): number {
  if (layout.kind !== "word") return BYTES;
  if (layout.word === "float64") return FIXED64;
  return layout.word === "int32" || layout.word === "int64" || layout.word === "bool" ? VARINT : BYTES;
}

function wrongWire(wire: number, name: string): WireError {
  if (wire > FIXED32) return new WireError(`proto: illegal wireType ${wire}`);
  const field = name === "metadata" ? "ObjectMeta" : name.charAt(0).toUpperCase() + name.slice(1);
  return new WireError(`proto: wrong wireType = ${wire} for field ${field}`);
}

function slots(struct: StructLayout): ReadonlyMap<number, Slot> {
  let known = slotsOf.get(struct);
  if (!known) {
    const made = new Map<number, Slot>();
    struct.fields.forEach(({ numbers }, field) => place(made, numbers, field));
    slotsOf.set(struct, (known = made));
  }
  return known;
}

function place(into: Map<number, Slot>, [first, ...rest]: readonly number[], field: number): void {
  if (first === undefined) return;
  if (rest.length === 0) {
    into.set(first, { field });
    return;
  }
  const slot = into.get(first);
  const inner = slot && "inline" in slot ? (slot.inline as Map<number, Slot>) : new Map<number, Slot>();
  into.set(first, { inline: inner });
  place(inner, rest, field);
}
