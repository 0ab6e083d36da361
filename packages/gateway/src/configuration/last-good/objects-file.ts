import { createHash } from "node:crypto";
import { OBJECT_KINDS } from "../objects.ts";
import type { GivenObject } from "../objects.ts";

const FORMAT = "gatewright.dev/last-good/1";

/** The objects as a file holds them: a line about the rest, then a line for each. */
export function formatObjects(objects: readonly GivenObject[]): string {
  const lines = objects.map((object) => JSON.stringify(object));
  const head = { format: FORMAT, objects: lines.length, sha256: digest(lines) };
  return `${JSON.stringify(head)}\n${lines.map((line) => `${line}\n`).join("")}`;
}

/** The objects of a file, or what is wrong with it: nothing is taken from a file that is not whole. */
export function parseObjects(text: string): readonly GivenObject[] | { readonly problem: string } {
  const [first = "", ...lines] = text.split("\n");
  if (lines.pop() !== "") return { problem: "its end is missing" };
  try {
    const head = JSON.parse(first) as { format?: unknown; objects?: unknown; sha256?: unknown } | null;
    if (head?.format !== FORMAT) return { problem: "it is of another format" };
    if (head.objects !== lines.length)
      return { problem: `it has ${lines.length} objects in place of ${String(head.objects)}` };
    if (head.sha256 !== digest(lines)) return { problem: "its content is not what was written" };
    const objects = lines.map((line) => JSON.parse(line) as unknown);
    return objects.every(isGiven) ? objects : { problem: "it holds something that is no object" };
  } catch {
    return { problem: "it is not JSON" };
  }
}

function digest(lines: readonly string[]): string {
  const hash = createHash("sha256");
  for (const line of lines) hash.update(line).update("\n");
  return hash.digest("hex");
}

function isGiven(value: unknown): value is GivenObject {
  if (typeof value !== "object" || value === null) return false;
  const { kind, namespace, name, version } = value as Partial<GivenObject>;
  const texts = [namespace, name, version];
  return (OBJECT_KINDS as readonly unknown[]).includes(kind) && texts.every((text) => typeof text === "string");
}
