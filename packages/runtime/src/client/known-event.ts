import type { ApiObject, Immutable } from "@gatewright/kube";
import type { WatchEvent } from "./client.ts";

/** What its caller holds already of what a watch may bring: the object at a version. */
export type KnownObjects<T> = (resourceVersion: string) => Immutable<T> | undefined;

const VERSION = `"resourceVersion":"`;

/**
 * The event of a line, if it brings nothing but what is known already: then the line need not be parsed. Servers write metadata with
 * its version, and quotes inside of a text are escaped: where the field is found once it is the object's own. Lines that say more, or
 * say it in another way, are for the parser.
 */
export function knownEvent<T extends ApiObject>(line: string, known: KnownObjects<T>): WatchEvent<T> | undefined {
  const type = typeIn(line);
  const at = line.indexOf(VERSION);
  if (type === undefined || at < 0) return undefined;
  const from = at + VERSION.length;
  if (line.indexOf(VERSION, from) >= 0) return undefined;
  const object = known(line.slice(from, line.indexOf(`"`, from)));
  if (object === undefined || !line.includes(`"uid":"${object.metadata.uid}"`)) return undefined;
  return { type, object };
}

function typeIn(line: string): "ADDED" | "MODIFIED" | undefined {
  if (line.startsWith(`{"type":"MODIFIED",`)) return "MODIFIED";
  return line.startsWith(`{"type":"ADDED",`) ? "ADDED" : undefined;
}
