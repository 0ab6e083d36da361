import type { Clock } from "@gatewright/ports";
import type { Log } from "@gatewright/telemetry";
import { lastGood } from "../configuration/last-good/last-good.ts";
import type { LastGood } from "../configuration/last-good/last-good.ts";
import type { ConfigurationTarget } from "../configuration/target.ts";
import type { ObjectSet } from "./object-sets.ts";

/** A giver's objects that outlive the process. */
export interface KeptSet {
  readonly target: ConfigurationTarget;
  /** Whether there were objects from before. */
  readonly isRestored: boolean;
  /** Resolves when all is on disk, or could not be brought there. */
  flush(): Promise<void>;
}

export interface KeptSetParts {
  /** Where the last good objects are kept. Undefined: nowhere. */
  readonly directory: string | undefined;
  readonly clock: Clock;
  readonly log: Log;
  /** Told after each change: `all` when it was everything that there is. */
  changed(what: "all" | "some"): void;
}

/**
 * Makes a set begin with the last good objects on disk, and keeps there what it is given from then on. Objects that cannot be read are
 * logged, and the set begins empty.
 */
export async function keptSet(set: ObjectSet, parts: KeptSetParts, signal: AbortSignal): Promise<KeptSet> {
  const { directory, clock, log } = parts;
  const failed = (error: unknown): void =>
    log.error("The last good objects could not be kept; tried again with the next change", { directory, error });
  const disk = directory === undefined ? undefined : lastGood(directory, { clock, failed });
  const before = await restored(disk, log, signal);
  if (before !== undefined) set.replace(before);
  const keep = (): void => disk?.keep(() => set.good());
  return {
    isRestored: before !== undefined,
    flush: () => disk?.flush() ?? Promise.resolve(),
    target: {
      replace(objects) {
        const findings = set.replace(objects);
        keep();
        parts.changed("all");
        return findings;
      },
      change(given, removed) {
        const findings = set.change(given, removed);
        keep();
        parts.changed("some");
        return findings;
      },
      held: () => set.held(),
    },
  };
}

async function restored(
  disk: LastGood | undefined,
  log: Log,
  signal: AbortSignal,
): Promise<Awaited<ReturnType<LastGood["read"]>>> {
  try {
    return await disk?.read(signal);
  } catch (error) {
    signal.throwIfAborted();
    log.error("The last good objects cannot be read", { problem: error instanceof Error ? error.message : error });
    return undefined;
  }
}
