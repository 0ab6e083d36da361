import { deepEqual, getOwn, isObject } from "@gatewright/kube";
import type { Json, JsonObject } from "@gatewright/kube";
import { editScript } from "./edit-script.ts";

/** The operations of RFC 6902 that a difference is made of. */
export type DiffOperation =
  | { readonly op: "add" | "replace"; readonly path: string; readonly value: Json }
  | { readonly op: "remove"; readonly path: string };

/**
 * The JSON Patch that turns one object into another: nothing where they are equal, and a whole value only where telling its parts
 * would be longer. Lists are compared by what their elements are, so that one more at the front is one operation.
 */
export function jsonPatchDiff(before: JsonObject, after: JsonObject): readonly DiffOperation[] {
  return objectDiff(before, after, "");
}

function diff(before: Json, after: Json, path: string): readonly DiffOperation[] {
  if (deepEqual(before, after)) return [];
  const whole: DiffOperation = { op: "replace", path, value: after };
  const parts = partsDiff(before, after, path);
  return parts === undefined || size(parts) > size([whole]) ? [whole] : parts;
}

function partsDiff(before: Json, after: Json, path: string): readonly DiffOperation[] | undefined {
  if (Array.isArray(before) && Array.isArray(after)) return listDiff(before, after, path);
  return isObject(before) && isObject(after) ? objectDiff(before, after, path) : undefined;
}

function objectDiff(before: JsonObject, after: JsonObject, path: string): readonly DiffOperation[] {
  const out: DiffOperation[] = [];
  for (const key of Object.keys(before)) {
    if (!Object.hasOwn(after, key)) out.push({ op: "remove", path: `${path}/${escaped(key)}` });
  }
  for (const key of Object.keys(after)) {
    const [old, value, at] = [getOwn(before, key), after[key]!, `${path}/${escaped(key)}`];
    if (old === undefined) out.push({ op: "add", path: at, value });
    else out.push(...diff(old, value, at));
  }
  return out;
}

function listDiff(before: readonly Json[], after: readonly Json[], path: string): readonly DiffOperation[] {
  const out: DiffOperation[] = [];
  let at = 0;
  for (const edit of editScript(before, after)) {
    const here = `${path}/${at}`;
    if (edit.type === "remove") {
      out.push({ op: "remove", path: here });
      continue;
    }
    if (edit.type === "add") out.push({ op: "add", path: here, value: edit.value });
    else if (edit.type === "change") out.push(...diff(edit.from, edit.to, here));
    at++;
  }
  return out;
}

function escaped(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

function size(operations: readonly DiffOperation[]): number {
  return JSON.stringify(operations).length;
}
