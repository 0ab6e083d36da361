import { runTool } from "./run-tool.ts";

const HELP = "Install Python 3.9 or later with its venv module: this part comes from the Python package index.";

/** Runs the machine's Python. Throws PartMissingError without one. */
export function python(args: readonly string[], signal?: AbortSignal): Promise<string> {
  return runTool("python3", args, { whenMissing: HELP, signal });
}
