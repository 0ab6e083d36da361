import { PartMissingError, upPart } from "../../testbed/index.ts";
import type { RunningPart } from "../../testbed/index.ts";

/** Starts a part for one suite; or tells why it cannot be had, for `suite`. Anything else that goes wrong is an error. */
export async function realPart(
  part: Parameters<typeof upPart>[0],
): Promise<RunningPart | { readonly missing: string }> {
  try {
    return await upPart(part);
  } catch (error) {
    if (error instanceof PartMissingError) return { missing: error.message };
    throw error;
  }
}
