import { mkdir, open, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import type { CancelTimer, Clock } from "@gatewright/ports";
import type { GivenObject } from "../objects.ts";
import { LastGoodError } from "./last-good-error.ts";
import { formatObjects, parseObjects } from "./objects-file.ts";

export interface LastGoodOptions {
  readonly clock: Clock;
  /** Told when writing fails. It is tried again with the next change. */
  readonly failed: (error: unknown) => void;
  /** How long changes are gathered before they are written. Default: a second. */
  readonly gatherMs?: number;
}

/** The objects that were last applied, on disk: what a gateway serves when it starts and nobody is there to tell it. */
export interface LastGood {
  /** What was last written, or undefined when nothing was. Throws {@link LastGoodError} for a file that is not whole. */
  read(signal: AbortSignal): Promise<readonly GivenObject[] | undefined>;
  /** These are to be kept. They are asked for when they are written: soon, several changes at once. */
  keep(objects: () => readonly GivenObject[]): void;
  /** Resolves when what was to be kept before the call is on disk, or could not be brought there. */
  flush(): Promise<void>;
}

const NAME = "objects.json";

/**
 * Keeps objects in a directory, which is made when it is needed. A file is there whole or not at all, whatever happens: it is written
 * aside, brought to disk and then put in place. Only the gateway's user may read it.
 */
export function lastGood(directory: string, { clock, failed, gatherMs = 1000 }: LastGoodOptions): LastGood {
  const path = join(directory, NAME);
  let wanted: (() => readonly GivenObject[]) | undefined;
  let cancel: CancelTimer | undefined;
  let writing: Promise<void> = Promise.resolve();

  const write = async (): Promise<void> => {
    const objects = wanted;
    wanted = undefined;
    if (objects === undefined) return;
    try {
      await put(directory, path, formatObjects(objects()));
    } catch (error) {
      failed(error);
    }
  };
  const begin = (): Promise<void> => {
    cancel?.();
    cancel = undefined;
    writing = writing.then(write);
    return writing;
  };
  return {
    async read(signal) {
      let text: string;
      try {
        text = await readFile(path, { encoding: "utf8", signal });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
        throw error;
      }
      const objects = parseObjects(text);
      if (!("problem" in objects)) return objects;
      const keptAs = `${path}.refused`;
      await rename(path, keptAs);
      throw new LastGoodError(path, keptAs, objects.problem);
    },
    keep(objects) {
      wanted = objects;
      cancel ??= clock.timer(gatherMs, () => void begin());
    },
    flush: begin,
  };
}

async function put(directory: string, path: string, text: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const aside = `${path}.new`;
  const file = await open(aside, "w", 0o600);
  try {
    // A file that was left behind keeps its mode.
    await file.chmod(0o600);
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(aside, path);
  const folder = await open(directory, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
