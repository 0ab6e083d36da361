import { readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { generateBuiltinTable } from "./generate-builtin.ts";

/** What a generator gives: the text of one committed file, or why it could not be made here. */
export type Generated =
  | { readonly file: string; readonly text: string }
  | { readonly file: string; readonly skipped: string };

const generators: readonly (() => Promise<Generated>)[] = [generateBuiltinTable];

const root = resolve(import.meta.dirname, "..");
const check = process.argv.includes("--check");
for (const generator of generators) {
  const made = await generator();
  if ("skipped" in made) {
    console.log(`${made.file}: skipped, ${made.skipped}`);
    continue;
  }
  const path = resolve(root, made.file);
  const before = await readFile(path, "utf8").catch(() => undefined);
  if (before === made.text) {
    console.log(`${made.file}: up to date`);
  } else if (check) {
    console.error(`${made.file}: out of date; run \`npm run generate\` and commit the result`);
    process.exitCode = 1;
  } else {
    await writeFile(path, made.text);
    console.log(`${made.file}: written, ${made.text.length} bytes`);
  }
}
