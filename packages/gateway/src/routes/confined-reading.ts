import { confinedFile, confinedMessage, isConfined } from "../configuration/confined-file.ts";
import { fieldNaming } from "../configuration/field-naming.ts";
import type { Around } from "../filters/around.ts";
import type { CompileAround } from "./compile-around.ts";

/** How a route reads files. */
export type Reading = Pick<CompileAround, "readFile" | "readBytes">;

/**
 * Reads for an object what it may name: any file for one that is in a file itself, and otherwise those that the settings allow. Others
 * are noted, and cannot be read, which closes the route or leaves it out, as for a file that is not there.
 */
export function confinedReading(
  { spec, isLocal }: { readonly spec: unknown; readonly isLocal?: true },
  { note }: Pick<Around, "note">,
  { readFile, readBytes, fileDirectories = [] }: CompileAround,
): Reading {
  if (isLocal === true) return { readFile, readBytes };
  const allowed = (path: string): string => {
    if (!isConfined(path, fileDirectories))
      note({ severity: "error", field: fieldNaming(spec, path), message: confinedMessage(path), closed: true });
    return confinedFile(path, fileDirectories);
  };
  return { readFile: (path) => readFile(allowed(path)), readBytes: (path) => readBytes(allowed(path)) };
}
