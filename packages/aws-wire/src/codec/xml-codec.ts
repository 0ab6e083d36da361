import { MalformedError } from "../malformed-error.ts";
import { shapeOf } from "../model.ts";
import type { ServiceModel, ShapeUse, StructureShape } from "../model.ts";
import { childOf } from "../xml/xml-element.ts";
import type { XmlElement } from "../xml/xml-element.ts";
import { escapeXml, xmlElement } from "../xml/write-xml.ts";
import { isScalar, scalarOf, scalarText, timestampFormat } from "./scalar.ts";
import type { Scalar } from "./scalar.ts";

/** Which members of a structure are in the body: all in the query protocols, in REST those that are nowhere else. */
function bodyMembers(shape: StructureShape): [string, ShapeUse][] {
  return Object.entries(shape.members).filter(([, member]) => member.in === undefined);
}

/** The elements of a structure's members, without one around them. */
export function membersXml(model: ServiceModel, shape: StructureShape, value: object): string {
  let out = "";
  for (const [name, member] of bodyMembers(shape)) {
    const part = (value as Readonly<Record<string, unknown>>)[name];
    if (part === undefined || part === null || member.attribute === true) continue;
    out += toXml(model, member, member.name ?? name, part);
  }
  return out;
}

/** A value as one element, or as several when it is a flattened list. */
export function toXml(model: ServiceModel, use: ShapeUse, name: string, value: unknown): string {
  const shape = shapeOf(model, use.shape);
  const namespace = use.namespace
    ? ` xmlns${use.namespace.prefix === undefined ? "" : `:${use.namespace.prefix}`}="${use.namespace.uri}"`
    : "";
  switch (shape.type) {
    case "structure":
      return xmlElement(
        name,
        membersXml(model, shape, value as object),
        namespace + attributesXml(model, shape, value as object),
      );
    case "list": {
      const items = value as readonly unknown[];
      if (use.flattened === true || shape.flattened === true) {
        const itemName = use.name ?? shape.member.name ?? name;
        return items.map((item) => toXml(model, shape.member, itemName, item)).join("");
      }
      const inner = items.map((item) => toXml(model, shape.member, shape.member.name ?? "member", item)).join("");
      return xmlElement(name, inner, namespace);
    }
    case "map": {
      const entries = Object.entries(value as object).map(
        ([key, item]) =>
          toXml(model, shape.key, shape.key.name ?? "key", key) +
          toXml(model, shape.value, shape.value.name ?? "value", item),
      );
      if (use.flattened === true || shape.flattened === true) {
        return entries.map((entry) => xmlElement(name, entry)).join("");
      }
      return xmlElement(name, entries.map((entry) => xmlElement("entry", entry)).join(""), namespace);
    }
    default:
      return xmlElement(
        name,
        escapeXml(scalarText(shape, value as Scalar, timestampFormat(shape, use, "iso8601"))),
        namespace,
      );
  }
}

/** The one prefix that attributes of the models have. */
const SCHEMA_INSTANCE = ` xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"`;

function attributesXml(model: ServiceModel, shape: StructureShape, value: object): string {
  let out = Object.values(shape.members).some((member) => member.name?.startsWith("xsi:")) ? SCHEMA_INSTANCE : "";
  for (const [name, member] of Object.entries(shape.members)) {
    const part = (value as Readonly<Record<string, unknown>>)[name];
    if (member.attribute !== true || part === undefined) continue;
    const of = shapeOf(model, member.shape);
    if (isScalar(of)) out += ` ${member.name ?? name}="${escapeXml(scalarText(of, part as Scalar, "iso8601"))}"`;
  }
  return out;
}

/** What an element says. Elements that the model does not know are passed over. */
export function fromXml(model: ServiceModel, use: ShapeUse, element: XmlElement): unknown {
  const shape = shapeOf(model, use.shape);
  switch (shape.type) {
    case "structure":
      return membersOf(model, shape, element);
    case "list":
      return element.children
        .filter(({ name }) => name === (shape.member.name ?? "member"))
        .map((child) => fromXml(model, shape.member, child));
    case "map":
      return mapOf(model, use, childrenNamed(element, "entry"));
    default:
      return scalarOf(shape, shape.type === "string" ? element.text : element.text.trim(), element.name);
  }
}

/** The members of a structure that are in the body. */
export function membersOf(model: ServiceModel, shape: StructureShape, element: XmlElement): object {
  const entries: [string, unknown][] = [];
  for (const [name, member] of bodyMembers(shape)) {
    const value = memberOf(model, member, name, element);
    if (value !== undefined) entries.push([name, value]);
  }
  return Object.fromEntries(entries);
}

function memberOf(model: ServiceModel, member: ShapeUse, name: string, element: XmlElement): unknown {
  const shape = shapeOf(model, member.shape);
  const wire = member.name ?? name;
  if (member.attribute === true) {
    const text = element.attributes.get(wire);
    return text === undefined || !isScalar(shape) ? undefined : scalarOf(shape, text, wire);
  }
  const flat =
    member.flattened === true || ((shape.type === "list" || shape.type === "map") && shape.flattened === true);
  if (flat && shape.type === "list") {
    const items = childrenNamed(element, member.name ?? shape.member.name ?? name);
    return items.length === 0 ? undefined : items.map((item) => fromXml(model, shape.member, item));
  }
  if (flat && shape.type === "map") {
    const items = childrenNamed(element, wire);
    return items.length === 0 ? undefined : mapOf(model, member, items);
  }
  const child = childOf(element, wire);
  return child && fromXml(model, member, child);
}

function mapOf(model: ServiceModel, use: ShapeUse, entries: readonly XmlElement[]): unknown {
  const shape = shapeOf(model, use.shape);
  if (shape.type !== "map") return {};
  return Object.fromEntries(
    entries.map((entry) => {
      const key = childOf(entry, shape.key.name ?? "key");
      const value = childOf(entry, shape.value.name ?? "value");
      if (!key || !value) throw new MalformedError(`${entry.name} needs a key and a value`);
      return [key.text, fromXml(model, shape.value, value)];
    }),
  );
}

function childrenNamed(element: XmlElement, name: string): readonly XmlElement[] {
  return element.children.filter((child) => child.name === name);
}
