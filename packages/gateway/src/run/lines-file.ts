import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import type { Log } from "@gatewright/telemetry";

/** A file that lines are added to. */
export interface LinesFile {
  write(lines: string): void;
  /** Resolves when everything is written, or cannot be. */
  end(): Promise<void>;
}

/** How much may wait to be written; lines beyond it are dropped rather than requests held up. */
const MAX_WAITING = 16 * 1024 * 1024;

/**
 * Adds lines to the end of a file, which programs that rotate logs may cut short, or to an open descriptor such as 1, standard output:
 * unlike `process.stdout` it never makes the process wait for who reads it. Trouble is logged once.
 */
export function linesFile(to: string | number, log: Log): LinesFile {
  const stream =
    typeof to === "number"
      ? createWriteStream("", { fd: to, autoClose: false })
      : createWriteStream(to, { flags: "a", mode: 0o640 });
  let isTold = false;
  const tell = (problem: string): void => {
    if (!isTold) log.error("The access log cannot be written", { file: to, problem });
    isTold = true;
  };
  stream.on("error", (error) => tell(error.message));
  return {
    write(lines) {
      if (stream.destroyed) return;
      if (stream.writableLength > MAX_WAITING) tell("it is too slow; lines are dropped");
      else stream.write(lines);
    },
    async end() {
      stream.end();
      await finished(stream).catch(() => {}); // told above
    },
  };
}
