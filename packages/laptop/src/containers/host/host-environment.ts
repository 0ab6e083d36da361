import type { ContainerSpec } from "../container-runtime.ts";
import type { ImageCommand } from "./image-commands.ts";

/** What a process needs of the program that starts it; the rest, keys and tokens above all, is none of its business. */
const PASSED = ["PATH", "HOME", "USER", "LANG", "TMPDIR"];
/** Variables by which a pod could make a command run other code than the file says. */
const DANGEROUS =
  /^(?:PATH|HOME|IFS|ENV|BASH_ENV|SHELLOPTS|LD_.*|DYLD_.*|NODE_.*|PYTHON.*|PERL.*|RUBY.*|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|GIT_.*)$/;

/**
 * The variables of a host process: few of this program's, those of the pod that are harmless (all, if the file trusts pods), those of
 * the file, which win, and where things really are: `PORT`, `PORT_<declared>`, and `CONTAINER_ROOT`, the folder under which mounted files
 * are at their paths.
 */
export function hostEnvironment(
  { env, log }: ContainerSpec,
  command: ImageCommand,
  real: { readonly ports: ReadonlyMap<number, number>; readonly root: string },
): Readonly<Record<string, string>> {
  const variables = new Map<string, string>();
  for (const name of PASSED) {
    const value = process.env[name];
    if (value !== undefined) variables.set(name, value);
  }
  for (const [name, value] of env) {
    if (command.trustPods || !DANGEROUS.test(name)) variables.set(name, value);
    else log.write(`gatewright: variable ${name} is not passed on to a host process`);
  }
  for (const [name, value] of Object.entries(command.env)) variables.set(name, value);
  const [first] = real.ports.values();
  if (first !== undefined) variables.set("PORT", String(first));
  for (const [declared, port] of real.ports) variables.set(`PORT_${declared}`, String(port));
  variables.set("CONTAINER_ROOT", real.root);
  return Object.fromEntries(variables);
}
