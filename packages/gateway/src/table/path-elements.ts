/** The elements of a path that begins with a slash; one slash at its end does not count. */
export function pathElements(path: string): string[] {
  const trimmed = path.endsWith("/") ? path.slice(0, -1) : path;
  return trimmed === "" ? [] : trimmed.slice(1).split("/");
}

/** `{name}`: stands for any one element that is not empty. */
export function isPlaceholder(element: string): boolean {
  return element.length > 2 && element.startsWith("{") && element.endsWith("}");
}
