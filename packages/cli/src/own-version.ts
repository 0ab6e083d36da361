import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The version of this program. */
export function ownVersion(root: string): string {
  return (JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { readonly version: string }).version;
}
