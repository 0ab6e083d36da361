import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import type { Log } from "@gatewright/telemetry";

/** A file that lines are added to. */
export interface LinesFile {
  write(lines: string): void;
  /** Resolves when everything is written, or cannot be. */
  end(): Promise<void>;
}

/** How much may wait for a slow disk; lines beyond it are dropped rather than requests held up. */
const MAX_WAITING = 16 * 1024 * 1024;

/** Adds lines to the end of a file, which programs that rotate logs may cut short. Trouble is logged once. */
export function linesFile(path: string, log: Log): LinesFile {
  const stream = createWriteStream(path, { flags: "a", mode: 0o640 });
  let isTold = false;
  const tell = (problem: string): void => {
    if (!isTold) log.error("The access log cannot be written", { file: path, problem });
    isTold = true;
  };
  stream.on("error", (error) => tell(error.message));
  return {
    write(lines) {
      if (stream.destroyed) return;
      if (stream.writableLength > MAX_WAITING) tell("the disk is too slow; lines are dropped");
      else stream.write(lines);
    },
    async end() {
      stream.end();
      await finished(stream).catch(() => {}); // told above
    },
  };
}
