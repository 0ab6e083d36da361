import { aborted, linkSignals } from "@gatewright/ports";
import type { Elector } from "../lease/elector.ts";

/**
 * Does work once in each term of leadership, until stopped. The work of a term is over before that of the next begins, however fast
 * the lease comes back. Without an elector there is one term, which ends with the stop.
 */
export async function whileLeading(
  elector: Pick<Elector, "whenLeading"> | undefined,
  work: (term: AbortSignal) => Promise<void>,
  stop: AbortSignal,
): Promise<void> {
  if (elector === undefined) return stop.aborted ? undefined : work(stop);
  while (!stop.aborted) {
    let leading: AbortSignal;
    try {
      leading = await elector.whenLeading(stop);
    } catch (error) {
      if (stop.aborted) return;
      throw error;
    }
    using term = linkSignals([leading, stop]);
    if (!term.signal.aborted) await work(term.signal);
    await aborted(term.signal);
  }
}
