import { badRequest } from "../status.ts";
import type { StatusError } from "../status.ts";

/**
 * The 400 for a body that cannot be decoded. `given` is its group, version and kind, `expected` the kind that the resource
 * has. Request options are refused without naming either.
 */
export function refusedBody(
  definition: string,
  given: readonly string[],
  why: string,
  expected: string | undefined = given[2],
): StatusError {
  const [, version = "", kind = ""] = given;
  if (definition.startsWith("meta.")) return badRequest(why);
  return badRequest(`${kind} in version ${JSON.stringify(version)} cannot be handled as a ${expected ?? kind}: ${why}`);
}
