import { parseArgs } from "node:util";
import type { ParseArgsConfig } from "node:util";
import { UsageError } from "../usage-error.ts";

type Options = NonNullable<ParseArgsConfig["options"]>;
type Parsed<O extends Options> = ReturnType<typeof parseArgs<{ options: O; allowPositionals: true; args: string[] }>>;

/** Flags and words of a command line. One that is not known is told together with the help. */
export function readFlags<const O extends Options>(args: readonly string[], options: O, help: string): Parsed<O> {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n\n${help}`);
  }
}

/** The same of a command that takes flags alone: a word is a mistake, mostly a flag that was left out. */
export function readFlagsAlone<const O extends Options>(args: readonly string[], options: O, help: string): Parsed<O> {
  const parsed = readFlags(args, options, help);
  const [word] = parsed.positionals;
  if (word !== undefined) throw new UsageError(`it takes no words, and ${JSON.stringify(word)} is one\n\n${help}`);
  return parsed;
}
