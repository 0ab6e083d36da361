/** Flags in the style of Go programs: `--name=value`, `--name value`, `--switch`. */
export class Flags {
  readonly #values = new Map<string, string[]>();
  readonly rest: string[] = [];

  /** Reads arguments. A flag followed by another flag, or by nothing, is a switch with the value `true`. */
  constructor(args: readonly string[]) {
    for (let i = 0; i < args.length; i++) {
      const arg = args[i]!;
      const match = /^--?([a-zA-Z][\w-]*)(?:=(.*))?$/s.exec(arg);
      if (!match) {
        this.rest.push(arg);
        continue;
      }
      const [, name = "", given] = match;
      const next = args[i + 1];
      const takesNext = given === undefined && next !== undefined && !next.startsWith("-");
      if (takesNext) i++;
      this.#values.set(name, [...(this.#values.get(name) ?? []), given ?? (takesNext ? next : "true")]);
    }
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  /** The last value of a flag. */
  get(name: string): string | undefined {
    return this.#values.get(name)?.at(-1);
  }

  /** All values of a flag, those with commas taken apart. */
  list(name: string): string[] {
    return (this.#values.get(name) ?? []).flatMap((value) => value.split(",")).filter((value) => value !== "");
  }
}
