import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { generateApi } from "./generate-api.ts";
import { generateBuiltinTable } from "./generate-builtin.ts";

/** What a generator gives: the text of one committed file, or why it could not be made here. */
export type Generated =
  | { readonly file: string; readonly text: string }
  | { readonly file: string; readonly skipped: string };

const generators: readonly (() => Promise<readonly Generated[]>)[] = [
  async () => [await generateBuiltinTable()],
  generateApi,
];

const root = resolve(import.meta.dirname, "..");
const check = process.argv.includes("--check");
for (const made of (await Promise.all(generators.map((generator) => generator()))).flat()) {
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
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, made.text);
    console.log(`${made.file}: written, ${made.text.length} bytes`);
  }
}
