import { parseGoDuration } from "@gatewright/kube";
import { UsageError } from "../usage-error.ts";
import type { Flags } from "./flag.ts";

type Given = Readonly<Record<string, unknown>>;
type Environment = Readonly<Partial<Record<string, string>>>;

/**
 * What flags say: the command line, else the environment, else their defaults. A variable that is set to nothing says nothing. What
 * cannot be read is a {@link UsageError} that names the flag and what it takes.
 */
export class FlagValues<Name extends string> {
  readonly #flags: Flags;
  readonly #given: Given;
  readonly #env: Environment;

  constructor(flags: Readonly<Record<Name, Flags[string]>>, given: Given, env: Environment) {
    [this.#flags, this.#given, this.#env] = [flags, given, env];
  }

  text(name: Name): string {
    const given = this.#given[name];
    if (typeof given === "string") return given;
    const { env, value } = this.#flags[name]!;
    const set = this.#env[env];
    return set === undefined || set === "" ? value : set;
  }

  /** Undefined when it says nothing. */
  optional(name: Name): string | undefined {
    const text = this.text(name);
    return text === "" ? undefined : text;
  }

  truth(name: Name): boolean {
    const value = this.text(name).toLowerCase();
    if (["true", "1", "yes"].includes(value)) return true;
    if (["false", "0", "no"].includes(value)) return false;
    throw new UsageError(`--${name} is true or false, not ${JSON.stringify(value)}`);
  }

  oneOf<const T extends string>(name: Name, known: readonly T[], value = this.text(name)): T {
    const found = known.find((each) => each === value);
    if (found === undefined)
      throw new UsageError(`--${name} is one of ${known.join(", ")}, not ${JSON.stringify(value)}`);
    return found;
  }

  /** With commas between. */
  list(name: Name): readonly string[] {
    return this.text(name)
      .split(",")
      .map((each) => each.trim())
      .filter((each) => each !== "");
  }

  count(name: Name, text = this.text(name)): number {
    if (/^[0-9]{1,9}$/u.test(text)) return Number(text);
    throw new UsageError(`--${name} needs a number, not ${JSON.stringify(text)}`);
  }

  /** Milliseconds of `2s`, `1h30m`. */
  duration(name: Name, text = this.text(name)): number {
    const nanoseconds = parseGoDuration(text);
    if (nanoseconds === undefined || nanoseconds < 0n)
      throw new UsageError(`--${name} needs a duration such as 30s or 1h30m, not ${JSON.stringify(text)}`);
    return Number(nanoseconds / 1_000_000n);
  }

  port(name: Name, text = this.text(name)): number {
    const value = /^[0-9]{1,5}$/u.test(text) ? Number(text) : Number.NaN;
    if (!(value >= 0 && value <= 65_535)) throw new UsageError(`--${name} needs a port, not ${JSON.stringify(text)}`);
    return value;
  }

  /** `:8081`, `127.0.0.1:8081`. */
  address(name: Name): { readonly host?: string; readonly port: number } {
    const text = this.text(name);
    const colon = text.lastIndexOf(":");
    const host = text.slice(0, Math.max(0, colon)).replace(/^\[(.*)\]$/u, "$1");
    return { ...(host !== "" && { host }), port: this.port(name, text.slice(colon + 1)) };
  }

  /** The same, or undefined for `0`: nowhere. */
  addressOrNone(name: Name): ReturnType<FlagValues<Name>["address"]> | undefined {
    return this.text(name) === "0" ? undefined : this.address(name);
  }
}
