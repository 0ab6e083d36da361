import type { CertificateSource } from "@gatewright/runtime/webhook";

/**
 * The same source for several who tell callers of its authorities: API servers by one, gateways by another. A bundle counts as known
 * only when all of them have confirmed it.
 */
export function confirmedByAll<T extends CertificateSource>(source: T, count: number): readonly T[] {
  const confirmed = new Array<string | undefined>(count).fill(undefined);
  return confirmed.map((_, index) => ({
    ...source,
    confirm(bundle: string) {
      confirmed[index] = bundle;
      if (confirmed.every((each) => each === bundle)) source.confirm(bundle);
    },
  }));
}
