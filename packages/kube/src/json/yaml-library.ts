import { createRequire } from "node:module";
import type * as Yaml from "yaml";

const require = createRequire(import.meta.url);
let loaded: typeof Yaml | undefined;

/** The YAML library, loaded when the first YAML is read: most clients never send any, and a start must not wait for it. */
export function yamlLibrary(): typeof Yaml {
  loaded ??= require("yaml") as typeof Yaml;
  return loaded;
}
