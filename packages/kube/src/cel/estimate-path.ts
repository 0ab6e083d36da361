import type { CelEnv } from "./environment.ts";
import type { SizeEstimate } from "./size-estimate.ts";
import { optionalOf } from "./types.ts";
import type { CelType } from "./types.ts";

/** Where data comes from: a variable, then fields, `@items`, `@keys` and `@values`. */
export type Path = readonly string[];

/**
 * The size that a schema allows at a path. A path that starts in the expression itself is measured against `self`, as
 * the reference estimator does.
 */
export function sizeAlongPath(env: CelEnv, path: Path): SizeEstimate | undefined {
  const [variable, ...steps] = path;
  if (variable === undefined) return undefined;
  let type = unwrapped(env.variables.get(variable) ?? env.variables.get("self"));
  for (const step of steps) type = type === undefined ? undefined : unwrapped(stepInto(type, step));
  return type?.bounds === undefined ? undefined : { min: 0, max: type.bounds.maxSize };
}

function unwrapped(type: CelType | undefined): CelType | undefined {
  return type === undefined ? undefined : (optionalOf(type) ?? type);
}

function stepInto(type: CelType, step: string): CelType | undefined {
  switch (step) {
    case "@items":
    case "@values":
      return type.kind === "list" ? type.element : type.kind === "map" ? type.value : undefined;
    case "@keys":
      return type.kind === "map" ? type.key : undefined;
    default:
      return type.kind === "object" ? type.field(step) : undefined;
  }
}
