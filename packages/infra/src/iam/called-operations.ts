import type { CalledOperation } from "./kind-policy.ts";
import read from "./called-operations.json" with { type: "json" };

/** The operations that the code of each kind calls, by the folder of the kind: generated from its sources. */
export const CALLED_OPERATIONS: ReadonlyMap<string, readonly CalledOperation[]> = new Map(
  Object.entries(read as Readonly<Record<string, readonly CalledOperation[]>>),
);
