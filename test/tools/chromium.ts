import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fetchDebian } from "./debian.ts";

const PACKAGE = "chromium";
const NAMES = ["chromium", "chromium-browser", "google-chrome"];

/** The system's Chromium; undefined where there is none. It is not started for that: it would open a window. */
export function chromiumPath(): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find((file) => existsSync(file));
}

/** Why there is no browser to test in, for `suite`; false where there is one. */
export function chromiumMissing(): string | false {
  return chromiumPath() === undefined ? `Chromium is not installed (Debian has it in ${PACKAGE})` : false;
}

/** Installs Chromium where this is Debian or like it and we may; or tells why it cannot be had. */
export function fetchChromium(): { readonly missing: string } | undefined {
  return chromiumPath() === undefined ? fetchDebian("chromium", PACKAGE) : undefined;
}
