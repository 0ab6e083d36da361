const ESCAPED_SEPARATOR = /%2f|%5c|\\/iu;

/**
 * Which paths are left alone: as they are written, or everything that begins with what stands before a final `*`. A path with an escaped
 * slash or backslash begins with nothing: backends disagree about where it leads.
 */
export function skipPaths(entries: readonly string[] | undefined): ((path: string) => boolean) | undefined {
  if (entries === undefined || entries.length === 0) return undefined;
  const exact = new Set(entries.filter((entry) => !entry.endsWith("*")));
  const prefixes = entries.filter((entry) => entry.endsWith("*")).map((entry) => entry.slice(0, -1));
  return (path) =>
    exact.has(path) || (prefixes.some((prefix) => path.startsWith(prefix)) && !ESCAPED_SEPARATOR.test(path));
}
