/** What a flag is when neither the command line nor the environment says it, and what it is called there. */
export interface Flag {
  readonly value: string;
  readonly env: string;
  readonly help: string;
}

export const flag = (value: string, env: string, help: string): Flag => ({ value, env, help });

export type Flags = Readonly<Record<string, Flag>>;

/** How flags are told: each with its variable, what it decides, and what it is without a word. */
export function flagsHelp(flags: Flags): string {
  return Object.entries(flags)
    .map(
      ([name, { value, env, help }]) =>
        `  --${name} (${env})\n        ${help}${value === "" ? "" : `; default: ${value}`}`,
    )
    .join("\n");
}
