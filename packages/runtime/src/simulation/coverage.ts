import type { FaultKind } from "./faults/fault-kind.ts";

/** How often each fault hit each call site. A fault that was switched on and never happened proves nothing. */
export class Coverage {
  readonly hits = new Map<string, number>();

  hit(kind: FaultKind, site: string, times = 1): void {
    const key = `${kind} @ ${site}`;
    this.hits.set(key, (this.hits.get(key) ?? 0) + times);
  }
}
