/** What comes of a text, or which of its names mean nothing. */
export type Rendered = { readonly text: string } | { readonly problem: string };

/** `$${` for a `${` that is meant as it is, `${name}` for a value, and a `${` that does not end. */
const PARTS = /\$\$\{|\$\{([^{}]*)\}|\$\{/g;

/**
 * Puts values into a text: `${name}` stands for one, `$${` for `${` itself. What comes of a value is not looked at again. A name that
 * there is no value for is a problem, not nothing: half a URL would be worse than none.
 */
export function render(template: string, values: ReadonlyMap<string, string>): Rendered {
  let problem: string | undefined;
  const text = template.replaceAll(PARTS, (part, name: string | undefined) => {
    if (part === "$${") return "${";
    const value = name === undefined ? undefined : values.get(name);
    if (value !== undefined) return value;
    problem ??=
      name === undefined
        ? "has a ${ without its }; $${ stands for ${ itself."
        : `names \${${name}}, but the outputs are ${[...values.keys()].sort().join(", ") || "none"}.`;
    return "";
  });
  return problem === undefined ? { text } : { problem };
}
