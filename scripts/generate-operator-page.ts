import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { OPERATOR_HELP } from "../packages/cli/src/operator/operator-flags.ts";
import type { Generated } from "./generate.ts";

const FILE = "docs/operator.md";
const OPTIONS = /(?<=<!-- options: [^>]*-->\n\n)```text\n[^]*?```(?=\n\n<!-- end of options -->)/;

/** Puts the options of the operator into its page. */
export async function generateOperatorPage(): Promise<readonly Generated[]> {
  const page = await readFile(resolve(import.meta.dirname, "..", FILE), "utf8");
  if (!OPTIONS.test(page)) throw new Error(`${FILE} has no place for the options`);
  return [{ file: FILE, text: page.replace(OPTIONS, () => `\`\`\`text\n${OPERATOR_HELP}\`\`\``) }];
}
