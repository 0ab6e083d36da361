const NAMED = /\{([^{}]+)\}/g;

/**
 * Puts what `{name}` stood for in a request's path into a path of the configuration. Values keep their escapes; what a path cannot
 * have is escaped. A name that the request's path does not have stays as it is written.
 */
export function fillIn(path: string, parameters: ReadonlyMap<string, string>): string {
  if (!path.includes("{")) return path;
  return path.replace(NAMED, (written, name: string) => {
    const value = parameters.get(name);
    return value === undefined ? written : escaped(value);
  });
}

/** The names in a path of the configuration. */
export function namesIn(path: string): readonly string[] {
  return [...path.matchAll(NAMED)].map(([, name = ""]) => name);
}

/** Characters of a path, and escapes, stay; everything else is escaped as UTF-8. */
function escaped(value: string): string {
  return value.replace(/%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9\-._~!$&'()*+,;=:@/%]/gu, (character) =>
    [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join(""),
  );
}
