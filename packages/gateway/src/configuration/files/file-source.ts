import { resolve } from "node:path";
import { deepEqual } from "@gatewright/kube";
import type { Json } from "@gatewright/kube";
import type { Clock } from "@gatewright/ports";
import { ChangeWatcher } from "./change-watcher.ts";
import type { WatchTimes } from "./change-watcher.ts";
import type { FileConfiguration } from "./file-configuration.ts";
import { ConfigurationReader } from "./read-configuration.ts";

export interface FileSourceOptions extends Partial<WatchTimes> {
  readonly clock: Clock;
  /** Told of each change, never twice of the same. Must not throw. */
  changed(configuration: FileConfiguration): void;
}

/** Files that are followed. */
export interface FileSource {
  /** What they say now. */
  readonly current: FileConfiguration;
  /** Looks at them now. Resolves when what they said before the call has been told. */
  reload(): Promise<void>;
  /** Ends following them. */
  close(): void;
}

const TIMES: WatchTimes = { quietMs: 100, patienceMs: 1000, pollMs: 5000 };

/**
 * Reads a settings file with the objects that it holds and leads to, and follows them until the signal aborts. What can no longer be
 * read counts as it was and is told as a problem. Throws `SettingsError` when there are no settings to begin with.
 */
export async function fileSource(path: string, options: FileSourceOptions, signal: AbortSignal): Promise<FileSource> {
  const reader = new ConfigurationReader(resolve(path));
  let current = await reader.read(signal);
  let running: Promise<void> | undefined;
  let isDirty = false;

  const run = async (): Promise<void> => {
    while (isDirty && !signal.aborted) {
      isDirty = false;
      let next: FileConfiguration;
      try {
        next = await reader.read(signal);
      } catch (error) {
        if (signal.aborted) return;
        throw error;
      }
      watcher.watch(reader.directories());
      if (isSame(next, current)) continue;
      current = next;
      options.changed(next);
    }
  };
  const reload = (): Promise<void> => {
    isDirty = true;
    running ??= run().finally(() => (running = undefined));
    return running;
  };
  const watcher = new ChangeWatcher(options.clock, { ...TIMES, ...options }, () => void reload());
  watcher.watch(reader.directories());
  signal.addEventListener("abort", () => watcher.close(), { once: true });
  return {
    get current() {
      return current;
    },
    reload,
    close: () => watcher.close(),
  };
}

function isSame(a: FileConfiguration, b: FileConfiguration): boolean {
  return (
    a.settings === b.settings &&
    a.objects.length === b.objects.length &&
    a.objects.every((object, i) => object === b.objects[i]) &&
    deepEqual(a.problems as unknown as Json, b.problems as unknown as Json)
  );
}
