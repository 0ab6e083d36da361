import { StatusError } from "@gatewright/kube";
import type { HttpAnswer } from "@gatewright/runtime/serving";
import { PAGE_HEADERS } from "./page-security.ts";
import type { PageFile, PageFiles } from "./page-files.ts";

/** What is known of a request for a file of the page. */
export interface PageQuestion {
  /** What comes after `/console/`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

const ASSETS = "assets/";
/** Names change with what is in the files, so they can be kept for good. */
const FOR_GOOD = "public, max-age=31536000, immutable";

/** The page for every path that is no file of it: the page itself knows its own paths. Holds nothing of any user. */
export function answerPage({ path, headers }: PageQuestion, files: PageFiles): HttpAnswer {
  const file = path.startsWith(ASSETS) ? files.get(path.slice(ASSETS.length)) : files.get("index.html");
  if (file === undefined) {
    throw new StatusError({ code: 404, reason: "NotFound", message: "the console has no such file", details: {} });
  }
  const kept = path.startsWith(ASSETS) ? FOR_GOOD : "no-cache";
  const shared = { ...PAGE_HEADERS, "cache-control": kept, etag: file.etag, vary: "accept-encoding" };
  if (headers["if-none-match"] === file.etag) return { status: 304, headers: shared, body: Buffer.alloc(0) };
  return sent(file, headers, shared);
}

function sent(file: PageFile, headers: PageQuestion["headers"], shared: Readonly<Record<string, string>>): HttpAnswer {
  const packed = /\bgzip\b/.test(headers["accept-encoding"] ?? "");
  return {
    status: 200,
    headers: { ...shared, "content-type": file.type, ...(packed && { "content-encoding": "gzip" }) },
    body: packed ? file.packed : file.bytes,
  };
}
