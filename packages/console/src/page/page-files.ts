import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { BuiltPage } from "./build-page.ts";

/** A file of the page, ready to be sent. */
export interface PageFile {
  readonly type: string;
  readonly bytes: Buffer;
  readonly packed: Buffer;
  readonly etag: string;
}

export type PageFiles = ReadonlyMap<string, PageFile>;

/** Where the page is kept that was made when the workspace was installed. It is only ever a faster form of the sources. */
export const PAGE_FOLDER = join("node_modules", ".cache", "gatewright-console");
/** The state of the sources that the kept page was made from. */
export const PAGE_STAMP = "sources.stamp";
const SOURCES = ["packages/console/src/web", "packages/console/src/browser"];

const TYPES = new Map([
  ["css", "text/css; charset=utf-8"],
  ["html", "text/html; charset=utf-8"],
  ["js", "text/javascript; charset=utf-8"],
  ["svg", "image/svg+xml"],
]);

/**
 * The files of the page: those that were made beforehand, or made now where the sources have moved on since. Rejects when neither can
 * be had. `root` is the folder of the workspace.
 */
export async function loadPageFiles(root: string): Promise<PageFiles> {
  const built = keptPage(root) ?? (await (await import("./build-page.ts")).buildPage(root));
  return new Map(Array.from(built, ([name, bytes]) => [name, ready(name, bytes)]));
}

function ready(name: string, bytes: Buffer): PageFile {
  const type = TYPES.get(name.slice(name.lastIndexOf(".") + 1)) ?? "application/octet-stream";
  const etag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
  return { type, bytes, packed: gzipSync(bytes, { level: 9 }), etag };
}

function keptPage(root: string): BuiltPage | undefined {
  const folder = join(root, PAGE_FOLDER);
  try {
    const stamp = readFileSync(join(folder, PAGE_STAMP), "utf8");
    // Without sources there is nothing that could have moved on.
    const now = pageStamp(root);
    if (now !== undefined && now !== stamp) return undefined;
    const names = readdirSync(folder).filter((name) => name !== PAGE_STAMP);
    return new Map(names.map((name) => [name, readFileSync(join(folder, name))]));
  } catch {
    // None was made: the sources are right in any case.
    return undefined;
  }
}

/** The state of the page's sources, as one text; undefined where they are not there. */
export function pageStamp(root: string): string | undefined {
  let newest = 0;
  let count = 0;
  try {
    for (const folder of SOURCES) {
      for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || entry.name.endsWith(".test.ts")) continue;
        newest = Math.max(newest, statSync(join(entry.parentPath, entry.name)).mtimeMs);
        count++;
      }
    }
  } catch {
    return undefined;
  }
  return `${count} ${newest}`;
}
