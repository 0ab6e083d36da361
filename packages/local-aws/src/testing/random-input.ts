import { shapeOf } from "@gatewright/aws-wire";
import type { ServiceModel, ShapeUse } from "@gatewright/aws-wire";
import fc from "fast-check";

/** Draws a value, as `fc.gen()` gives it. */
export type Draw = <T>(make: () => fc.Arbitrary<T>) => T;

const HOSTILE = [
  "",
  "__proto__",
  "constructor",
  "toString",
  "\u0000",
  "../..",
  "a/b",
  "é\u{1f600}",
  "*",
  "%",
  "<&>\"'",
  "0",
  "-1",
];
const PLAIN = [
  "one",
  "two",
  "a.example",
  "b.a.example",
  "10.0.0.0/16",
  "10.0.1.0/24",
  "postgres",
  "db.t4g.micro",
  "t3.micro",
];
const MORE = ["ami-0a1b2c3d4e5f60001", "us-east-1a", "TXT", "CNAME", "HTTP", "ip", "tag:team", "true", "20", "80"];
const DEEPEST = 5;

/**
 * An input that an operation could be given: of the right types, and of little sense. Texts are often such as were `seen` in
 * answers, so that calls find what others made.
 */
export function randomInput(draw: Draw, model: ServiceModel, operation: string, seen: readonly string[]): object {
  const input = model.operations[operation]?.input;
  return input === undefined ? {} : (valueOf({ shape: input }, 0) as object);

  function valueOf(use: ShapeUse, depth: number): unknown {
    const shape = shapeOf(model, use.shape);
    switch (shape.type) {
      case "structure": {
        const members = Object.entries(shape.members).filter(
          ([name]) => shape.required?.includes(name) === true || (depth < DEEPEST && chance(depth === 0 ? 3 : 2)),
        );
        return Object.fromEntries(members.map(([name, member]) => [name, valueOf(member, depth + 1)]));
      }
      case "list":
        return Array.from({ length: few(depth) }, () => valueOf(shape.member, depth + 1));
      case "map":
        return Object.fromEntries(
          Array.from({ length: few(depth) }, () => [
            String(valueOf(shape.key, depth + 1)),
            valueOf(shape.value, depth + 1),
          ]),
        );
      case "string":
        return text(shape.enum, shape.max);
      case "integer":
      case "long":
        return draw(() =>
          fc.constantFrom(0, 1, 2, 5, 20, 80, 443, -1, 1000, 2 ** 31 - 1, shape.min ?? 1, shape.max ?? 1),
        );
      case "float":
      case "double":
        return draw(() => fc.constantFrom(0, 1, 0.5, -1, 1e9));
      case "boolean":
        return chance(2);
      case "timestamp":
        return draw(() => fc.constantFrom(0, 1_893_456_000_000, 4_102_444_800_000, -1000));
      case "blob":
        return draw(() => fc.uint8Array({ maxLength: 40 }));
    }
  }

  function chance(of: number): boolean {
    return draw(() => fc.nat({ max: of - 1 })) === 0;
  }

  function few(depth: number): number {
    return depth > DEEPEST ? 0 : draw(() => fc.nat({ max: 2 }));
  }

  function text(words: readonly string[] | undefined, longest = 64): string {
    const kinds: readonly (readonly string[])[] = [words ?? PLAIN, words ?? MORE, seen, words ?? seen, PLAIN, HOSTILE];
    const kind = draw(() => fc.nat({ max: kinds.length }));
    if (kind === kinds.length) return draw(() => fc.constantFrom("x".repeat(Math.min(longest + 1, 3000)), "y", "z-1"));
    const from = kinds[kind] ?? [];
    return from.length === 0 ? "one" : draw(() => fc.constantFrom(...from));
  }
}
