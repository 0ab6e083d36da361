/** One thing that is not the same in the answers of the two servers. */
export interface Difference {
  /** From 1. */
  readonly step: number;
  /** `status`, `headers.warning`, `body.metadata.labels`. */
  readonly at: string;
  readonly real: unknown;
  readonly embedded: unknown;
}

/** Where two values differ, at the deepest place that both have. */
export function differences(step: number, at: string, real: unknown, embedded: unknown): Difference[] {
  if (Object.is(real, embedded)) return [];
  if (isTree(real) && isTree(embedded) && Array.isArray(real) === Array.isArray(embedded)) {
    const keys = new Set([...Object.keys(real), ...Object.keys(embedded)]);
    return [...keys].flatMap((key) => differences(step, at === "" ? key : `${at}.${key}`, real[key], embedded[key]));
  }
  return [{ step, at, real, embedded }];
}

function isTree(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
