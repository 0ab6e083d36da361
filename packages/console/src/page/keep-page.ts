import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildPage } from "./build-page.ts";
import { PAGE_FOLDER, PAGE_STAMP, pageStamp } from "./page-files.ts";

/** Makes the page of the workspace `root`, and keeps it where servers look for it whose folder is `into`. */
export async function keepPage(root: string, into = root): Promise<void> {
  const folder = join(into, PAGE_FOLDER);
  const stamp = pageStamp(root) ?? "";
  const built = await buildPage(root);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, bytes] of built) writeFileSync(join(folder, name), bytes);
  // Last: a page without it is not looked at.
  writeFileSync(join(folder, PAGE_STAMP), stamp);
}
