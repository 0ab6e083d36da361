import type { Log } from "@gatewright/telemetry";
import type { FileProblem } from "../configuration/files/file-configuration.ts";
import type { Finding, GivenObject } from "../configuration/objects.ts";
import type { ObjectName } from "../configuration/target.ts";
import { keyOf } from "./object-sets.ts";
import { ToldOnce } from "./told-once.ts";

/** Logs what is wrong with files and objects, each thing once while it lasts. */
export class ProblemLog {
  readonly #log: Log;
  readonly #told = new ToldOnce();

  constructor(log: Log) {
    this.#log = log;
  }

  /** These are all problems that the files have now. */
  files(problems: readonly FileProblem[]): void {
    const textOf = ({ file, line, message }: FileProblem): string => `${file}:${line ?? ""}: ${message}`;
    for (const { file, line, severity, message } of this.#told.fresh("files", problems, textOf)) {
      const fields = { file, ...(line !== undefined && { line }), problem: message };
      if (severity === "error") this.#log.error("A file is wrong; what it said when it was good still counts", fields);
      else this.#log.warn("Something in a file does nothing", fields);
    }
  }

  /** These objects came with these findings, and those went. */
  objects(set: readonly GivenObject[], removed: readonly ObjectName[], findings: readonly Finding[]): void {
    const found = Map.groupBy(findings, keyOf);
    for (const name of removed) this.#told.fresh(keyOf(name), [], String);
    for (const object of set) {
      const key = keyOf(object);
      const textOf = ({ severity, field, message }: Finding): string => `${severity} ${field}: ${message}`;
      for (const { severity, field, message } of this.#told.fresh(key, found.get(key) ?? [], textOf)) {
        const fields = { object: key, field, problem: message };
        if (severity === "error")
          this.#log.error("An object was refused; a good one of its name from before goes on", fields);
        else this.#log.warn("Something in an object does nothing here", fields);
      }
    }
  }
}
