import type { Json } from "./json/json.ts";
import { evaluatePath } from "./json-path/evaluate.ts";
import { parsePath } from "./json-path/parse.ts";

export { JsonPathError } from "./json-path/parse.ts";

/**
 * Compiles kubectl's dialect of JSONPath as printer columns have it, without braces: `.spec.x`, `.a[0]`, `.a[1:3]`,
 * `.a[*].b`, `..b`, `.a[?(@.type=="Ready")].status`, `.a['b\.c']`, unions. Throws {@link JsonPathError}. The function that
 * it returns gives all results, and none where the path does not fit the object.
 */
export function compileJsonPath(path: string): (object: Json) => Json[] {
  const steps = parsePath(path);
  return (object) => evaluatePath(steps, object);
}

const SIMPLE = /^(?:\.[^.[\]'"\s]+)+$/;

/** The keys of a path of plain fields (`.spec.replicas`), or undefined when it is more than that. */
export function parseSimplePath(path: string): string[] | undefined {
  return SIMPLE.test(path) ? path.slice(1).split(".") : undefined;
}

/** A result as `kubectl get` prints it in a column of strings: objects and lists as JSON, everything else bare. */
export function jsonPathText(value: Json): string {
  if (value === null) return "<no value>";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
