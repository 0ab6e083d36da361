const reserved = new Set(
  "true false null in as break const continue else for function if import let loop package namespace return var void while".split(
    " ",
  ),
);

const replacements: ReadonlyMap<string, string> = new Map([
  ["__", "underscores"],
  [".", "dot"],
  ["-", "dash"],
  ["/", "slash"],
]);
const originals: ReadonlyMap<string, string> = new Map(Array.from(replacements, ([from, to]) => [to, from]));

/** The name by which expressions know a property, or undefined when they cannot name it. */
export function escapeName(property: string): string | undefined {
  if (!/^[A-Za-z_./-][A-Za-z0-9_./-]*$/.test(property)) return undefined;
  if (reserved.has(property)) return `__${property}__`;
  return property.replaceAll(/__|[-./]/g, (part) => `__${replacements.get(part)!}__`);
}

/** The property that an escaped name stands for, or undefined when the escape is not one of ours. */
export function unescapeName(name: string): string | undefined {
  if (!name.includes("__")) return name;
  let valid = true;
  const property = name.replaceAll(/__([^_]+)__/g, (whole, word: string) => {
    const original = originals.get(word);
    if (original !== undefined) return original;
    if (!reserved.has(word) || whole.length !== name.length) valid = false;
    return word;
  });
  return valid ? property : undefined;
}
