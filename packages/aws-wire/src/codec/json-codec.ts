import { MalformedError } from "../malformed-error.ts";
import { shapeOf } from "../model.ts";
import type { ServiceModel, ShapeUse } from "../model.ts";
import { isScalar } from "./scalar.ts";

/** A value as the JSON protocols write it. Members that the model does not know are left out. */
export function toJson(model: ServiceModel, use: ShapeUse, value: unknown): unknown {
  const shape = shapeOf(model, use.shape);
  switch (shape.type) {
    case "structure": {
      const entries: [string, unknown][] = [];
      for (const [name, member] of Object.entries(shape.members)) {
        const part = (value as Readonly<Record<string, unknown>>)[name];
        if (part !== undefined && part !== null) entries.push([member.name ?? name, toJson(model, member, part)]);
      }
      return Object.fromEntries(entries);
    }
    case "list":
      return (value as readonly unknown[]).map((item) => toJson(model, shape.member, item));
    case "map":
      return Object.fromEntries(
        Object.entries(value as object).map(([key, item]) => [key, toJson(model, shape.value, item)]),
      );
    case "blob":
      return Buffer.from(value as Uint8Array).toString("base64");
    case "timestamp":
      return (value as number) / 1000;
    default:
      return value;
  }
}

/** Values that hold values of their own kind can be nested; this deep nobody means it. */
const DEEPEST = 200;

/** What a JSON value says. Members that the model does not know are passed over, as the services do. */
export function fromJson(model: ServiceModel, use: ShapeUse, value: unknown, what = "", depth = 0): unknown {
  if (depth > DEEPEST) throw new MalformedError("the body is nested too deeply");
  const shape = shapeOf(model, use.shape);
  const wrong = (expected: string): MalformedError => new MalformedError(`${what || "the body"} must be ${expected}`);
  if (isScalar(shape)) {
    switch (shape.type) {
      case "string":
        if (typeof value === "string") return value;
        throw wrong("a string");
      case "boolean":
        if (typeof value === "boolean") return value;
        throw wrong("true or false");
      case "blob":
        if (typeof value === "string") return Buffer.from(value, "base64");
        throw wrong("base64");
      case "timestamp": {
        const ms = typeof value === "number" ? value * 1000 : Date.parse(String(value));
        if (!Number.isNaN(ms)) return ms;
        throw wrong("a time");
      }
      default:
        if (typeof value === "number") return value;
        throw wrong("a number");
    }
  }
  if (shape.type === "list") {
    if (!Array.isArray(value)) throw wrong("a list");
    return value
      .filter((item) => item !== null)
      .map((item, i) => fromJson(model, shape.member, item, `${what}[${i}]`, depth + 1));
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw wrong("an object");
  if (shape.type === "map") {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        key,
        fromJson(model, shape.value, item, `${what}.${key}`, depth + 1),
      ]),
    );
  }
  const entries: [string, unknown][] = [];
  for (const [name, member] of Object.entries(shape.members)) {
    const wire = member.name ?? name;
    const part: unknown = Object.hasOwn(value, wire) ? (value as Record<string, unknown>)[wire] : undefined;
    if (part !== undefined && part !== null) {
      entries.push([name, fromJson(model, member, part, what === "" ? name : `${what}.${name}`, depth + 1)]);
    }
  }
  return Object.fromEntries(entries);
}
