/** A path that counts as a prefix by elements: one slash at its end is not part of it, and `/` is empty. */
export function prefixOf(path: string): string {
  return path.endsWith("/") ? path.slice(0, -1) : path;
}

/** How many elements a path has: an empty one after the last slash counts. */
export function countElements(path: string): number {
  let count = 0;
  for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1)) count++;
  return count;
}

/** The elements of a path that is empty or begins with a slash. */
export function pathElements(path: string): string[] {
  return path === "" ? [] : path.slice(1).split("/");
}

/** An element of a template. A name of `*` is nobody's. */
export interface Placeholder {
  readonly name: string;
  /** RE2 for the whole element; undefined: any that is not empty. */
  readonly pattern: string | undefined;
}

/** Reads `{name}` and `{name:pattern}`; undefined: the element stands for itself. */
export function placeholder(element: string): Placeholder | undefined {
  if (element.length < 3 || !element.startsWith("{") || !element.endsWith("}")) return undefined;
  const colon = element.indexOf(":");
  if (colon === -1) return { name: element.slice(1, -1), pattern: undefined };
  return { name: element.slice(1, colon), pattern: element.slice(colon + 1, -1) };
}

/** An element of a template for those that a pattern matches. The pattern is written without slashes, which no element has. */
export function patternElement(pattern: string, name = "*"): string {
  return `{${name}:${pattern.replaceAll("/", String.raw`\x2f`)}}`;
}
