import { kindNames, kindsNamed } from "@gatewright/explain";
import type { AskedKind } from "@gatewright/explain";
import { UsageError } from "../usage-error.ts";

/** What a person asked about: an object, or a hostname whose object is to be found. */
export type Asked =
  | { readonly kinds: readonly AskedKind[]; readonly name: string; readonly namespace?: string }
  | { readonly hostname: string };

const HOSTNAME = /^(?:\*\.)?(?:[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?\.)+[a-z][-a-z0-9]{0,61}[a-z0-9]$/i;
const NAME = /^[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?$/;

/** `KIND/NAME`, `KIND NAME`, `KIND/NAMESPACE/NAME`, a hostname or a URL. Rejects what is none of these with what would be. */
export function askedObject(words: readonly string[]): Asked {
  const [first = "", second, ...more] = words;
  if (more.length > 0) throw new UsageError(`one object at a time: KIND/NAME, KIND NAME or a hostname`);
  if (second !== undefined) return ofKind(first, undefined, second);
  const url = /^https?:\/\//i.test(first) ? URL.parse(first) : null;
  if (url !== null) return { hostname: url.hostname };
  const parts = first.split("/");
  if (parts.length === 1 && HOSTNAME.test(first)) return { hostname: first.toLowerCase() };
  if (parts.length === 2) return ofKind(parts[0]!, undefined, parts[1]!);
  if (parts.length === 3) return ofKind(parts[0]!, parts[1], parts[2]!);
  throw new UsageError("what is asked about? KIND/NAME, such as application/my-app, or a hostname");
}

function ofKind(kind: string, namespace: string | undefined, name: string): Asked {
  const kinds = kindsNamed(kind);
  if (kinds.length === 0)
    throw new UsageError(`there is no kind ${JSON.stringify(kind)} to ask about${suggestion(kind)}`);
  if (!NAME.test(name)) throw new UsageError(`${JSON.stringify(name)} is no name of an object`);
  return { kinds, name, ...(namespace !== undefined && { namespace }) };
}

/** The kind that is nearest, if one is near. */
function suggestion(kind: string): string {
  const word = kind.toLowerCase().split(".", 1)[0] ?? "";
  const near = kindNames()
    .map((each) => [distance(word, each), each] as const)
    .toSorted(([a], [b]) => a - b)[0];
  const like = near !== undefined && near[0] <= 3 ? `; did you mean ${near[1]}?` : "";
  return `${like}\nKinds: ${kindNames().join(", ")}`;
}

/** How many letters must change to make one word of another. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length]!;
}
