import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Part } from "./part.ts";
import { endAll } from "./processes.ts";
import { silent } from "./progress.ts";
import type { Progress } from "./progress.ts";

/** A part that runs for the length of a test. */
export interface RunningPart extends AsyncDisposable {
  readonly version: string;
  /** Where it is: the same names as `npm run testbed -- status` shows. */
  readonly facts: Readonly<Record<string, string>>;
}

/** Starts a part in a temporary folder. It ends, with all its data, when disposed of, and never outlives this process. */
export async function upPart(
  part: Part,
  options: { readonly progress?: Progress; readonly signal?: AbortSignal } = {},
): Promise<RunningPart> {
  const folder = mkdtempSync(join(tmpdir(), `gatewright-${part.name}-`));
  const discard = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const { progress = silent, signal } = options;
    const { version, facts, processes } = await part.start(folder, { progress, signal, outlive: false });
    return {
      version,
      facts,
      async [Symbol.asyncDispose]() {
        await endAll(processes);
        discard();
      },
    };
  } catch (error) {
    discard();
    throw error;
  }
}
