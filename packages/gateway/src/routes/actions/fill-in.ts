/**
 * Puts what `{name}` stood for in a request's path into a path of the configuration. Values keep their escapes; what a path cannot
 * have is escaped, and what has no value is left out.
 */
export function fillIn(path: string, parameters: ReadonlyMap<string, string>): string {
  if (!path.includes("{")) return path;
  return path.replace(/\{([^{}]+)\}/g, (_whole, name: string) => escaped(parameters.get(name) ?? ""));
}

/** Characters of a path, and escapes, stay; everything else is escaped as UTF-8. */
function escaped(value: string): string {
  return value.replace(/%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9\-._~!$&'()*+,;=:@/%]/gu, (character) =>
    [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join(""),
  );
}
