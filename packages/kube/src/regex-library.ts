import { createRequire } from "node:module";
import type * as Re2 from "re2js";

const require = createRequire(import.meta.url);
let loaded: typeof Re2 | undefined;

/** The engine for users' regular expressions, loaded for the first of them: a start must not wait for it. */
export function regexLibrary(): typeof Re2 {
  loaded ??= require("re2js") as typeof Re2;
  return loaded;
}
