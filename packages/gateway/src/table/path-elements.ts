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

/** `{name}`: stands for any one element that is not empty. */
export function isPlaceholder(element: string): boolean {
  return element.length > 2 && element.startsWith("{") && element.endsWith("}");
}
