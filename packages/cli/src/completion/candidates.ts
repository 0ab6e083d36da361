import { kindNames } from "@gatewright/explain";

/** What a cluster can be asked for while somebody types. */
export interface Names {
  /** Flags that a command's help names. */
  flags(command: string): Promise<readonly string[]>;
  namespaces(): Promise<readonly string[]>;
  /** Of a kind as it is written, in a namespace if one was written before. */
  objects(kind: string, namespace: string | undefined): Promise<readonly string[]>;
}

const FORMATS = ["wide", "json", "yaml"];
/** Commands whose words are KIND/NAME. */
const OF_OBJECTS: ReadonlySet<string> = new Set(["why", "watch"]);

/** What may stand at the last word of a line, the words before it given. Only what begins like it. */
export async function candidates(
  words: readonly string[],
  commands: readonly string[],
  names: Names,
): Promise<readonly string[]> {
  const [command = "", ...rest] = words;
  const word = rest.at(-1) ?? "";
  const fitting = (all: readonly string[], start = word): readonly string[] =>
    all.filter((each) => each.startsWith(start));
  if (rest.length === 0) return fitting(commands, command);
  const before = rest.at(-2) ?? "";
  if (before === "-n" || before === "--namespace") return fitting(await names.namespaces());
  if (before === "-o" || before === "--output") return fitting(FORMATS);
  if (word.startsWith("-")) return fitting(await names.flags(command));
  if (command === "completion") return fitting(["bash", "zsh", "fish"]);
  if (!OF_OBJECTS.has(command)) return [];
  const slash = word.indexOf("/");
  if (slash < 0) return fitting(kindNames().map((kind) => `${kind}/`));
  const kind = word.slice(0, slash);
  return fitting((await names.objects(kind, namespaceIn(rest))).map((name) => `${kind}/${name}`));
}

function namespaceIn(words: readonly string[]): string | undefined {
  const at = words.findIndex((word) => word === "-n" || word === "--namespace");
  return at < 0 ? undefined : words[at + 1];
}
