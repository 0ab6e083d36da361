import { patternSize } from "@gatewright/gateway/rows";

/** What our count of instructions leaves out: sets of all characters but some are many instructions over bytes. */
const PER_WIDE_SET = 9;
const WIDE_SETS = /\\[WDSPB]|\[\^|(?<!\\)\./gu;

const KNOWN = new Map<string, number>();
const MOST_KNOWN = 10_000;

/** How large Envoy finds a pattern, about, and rather too large: one that it refuses would take all other routes with it. */
export function sizeOnEnvoy(pattern: string): number {
  let size = KNOWN.get(pattern);
  if (size === undefined) {
    size = patternSize(pattern) + PER_WIDE_SET * (pattern.match(WIDE_SETS)?.length ?? 0);
    if (KNOWN.size >= MOST_KNOWN) KNOWN.clear();
    KNOWN.set(pattern, size);
  }
  return size;
}

/** All patterns that stand in a message, as its fields were given. */
export function* patternsIn(value: unknown): Generator<string> {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return;
  for (const [key, inner] of Object.entries(value)) {
    if (key === "regex" && typeof inner === "string") yield inner;
    else yield* patternsIn(inner);
  }
}
