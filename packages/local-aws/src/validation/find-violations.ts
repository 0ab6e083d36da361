import { shapeOf } from "@gatewright/aws-wire";
import type { ServiceModel, Shape } from "@gatewright/aws-wire";
import type { Violation } from "./violation.ts";

/** Operations that have words of their own for what the model could tell already. */
const LEFT_TO_SERVICE: ReadonlySet<string> = new Set(["s3:CreateBucket"]);

/** So many are told; more would help nobody. */
const MOST = 20;

type Path = Violation["path"];

/**
 * What an input breaks of its model: members that must be there, values that are none of a fixed set, lengths and numbers out of
 * bounds. Patterns and everything that takes knowledge are left to the service.
 */
export function findViolations(model: ServiceModel, operation: string, input: object): readonly Violation[] {
  const shape = model.operations[operation]?.input;
  const found: Violation[] = [];
  if (shape !== undefined && !LEFT_TO_SERVICE.has(`${model.name}:${operation}`)) {
    check(model, shapeOf(model, shape), input, [], found);
  }
  return found;
}

function check(model: ServiceModel, shape: Shape, value: unknown, path: Path, found: Violation[]): void {
  if (found.length >= MOST) return;
  switch (shape.type) {
    case "structure":
      for (const name of shape.required ?? []) {
        if (partOf(value, name) === undefined) {
          found.push({ path: [...path, name], value: undefined, rule: { kind: "required" } });
        }
      }
      for (const [name, member] of Object.entries(shape.members)) {
        const part = partOf(value, name);
        if (part !== undefined) check(model, shapeOf(model, member.shape), part, [...path, name], found);
      }
      break;
    case "list": {
      const items = value as readonly unknown[];
      checkBounds("length", items.length, shape, value, path, found);
      const item = shapeOf(model, shape.member.shape);
      items.forEach((each, i) => check(model, item, each, [...path, i + 1], found));
      break;
    }
    case "map": {
      const entries = Object.entries(value as object);
      checkBounds("length", entries.length, shape, value, path, found);
      const item = shapeOf(model, shape.value.shape);
      for (const [key, each] of entries) check(model, item, each, [...path, key], found);
      break;
    }
    case "string": {
      const text = value as string;
      if (shape.enum && !shape.enum.includes(text)) {
        found.push({ path, value, rule: { kind: "enum", values: shape.enum } });
      } else checkBounds("length", text.length, shape, value, path, found);
      break;
    }
    case "integer":
    case "long":
    case "float":
    case "double":
      checkBounds("value", value as number, shape, value, path, found);
      break;
    default:
  }
}

function checkBounds(
  kind: "length" | "value",
  size: number,
  { min, max }: { readonly min?: number; readonly max?: number },
  value: unknown,
  path: Path,
  found: Violation[],
): void {
  if (min !== undefined && size < min) found.push({ path, value, rule: { kind, min } });
  else if (max !== undefined && size > max) found.push({ path, value, rule: { kind, max } });
}

function partOf(value: unknown, name: string): unknown {
  return Object.hasOwn(value as object, name) ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}
