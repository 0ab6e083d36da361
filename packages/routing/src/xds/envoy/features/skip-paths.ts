import { quoted } from "@gatewright/gateway/rows";

/**
 * A pattern of RE2 for `:path` that holds for a path that is skipped: as it is written, or everything that begins with what stands
 * before a final `*`, unless there is an escaped slash or backslash in it.
 */
export function skippedPath(entry: string): string {
  if (!entry.endsWith("*")) return `${quoted(entry)}(?:\\?.*)?`;
  return `${quoted(entry.slice(0, -1))}(?:[^%?\\\\]|%[013-46-9A-Fa-f][0-9A-Fa-f]|%2[0-9A-Ea-e]|%5[0-9ABD-Fabd-f])*(?:\\?.*)?`;
}
