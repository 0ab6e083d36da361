import { globSync } from "node:fs";
import { join } from "node:path";
import { brokenLinks } from "./links/broken-links.ts";

/** Links of our pages that lead nowhere. Prints them and exits with 1 if there are any. */
const root = join(import.meta.dirname, "..");
const isOurs = (file: string): boolean => !/(?:^|\/)(?:node_modules|\.gatewright)\//.test(file);
const files = globSync("**/*.md", { cwd: root, exclude: (name) => name === "node_modules" || name === ".git" })
  .filter(isOurs)
  .sort();
const broken = brokenLinks(root, files);
for (const { file, line, target, why } of broken) console.error(`${file}:${line}: ${target} ${why}`);
console.log(`${files.length} pages, ${broken.length} broken links`);
process.exitCode = broken.length > 0 ? 1 : 0;
