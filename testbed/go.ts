import { runTool } from "./run-tool.ts";

const HELP = "Install Go from https://go.dev/dl/: this part is built from the Go module proxy.";

/** Runs the machine's Go for programs without C. Throws PartMissingError without one. */
export function go(args: readonly string[], cwd: string, signal?: AbortSignal): Promise<string> {
  return runTool("go", args, { cwd, env: { CGO_ENABLED: "0", GOWORK: "off" }, whenMissing: HELP, signal });
}

/** Path of the go.mod that a module was published with: its archive is fetched too. */
export async function publishedGoMod(module: string, cwd: string, signal?: AbortSignal): Promise<string> {
  const found = await go(["mod", "download", "-json", module], cwd, signal);
  return (JSON.parse(found) as { readonly GoMod: string }).GoMod;
}
