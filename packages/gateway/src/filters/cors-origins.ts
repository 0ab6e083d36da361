/** Which sites may call. */
export interface OriginRule {
  /** All may, without credentials: the answer is the same for everybody. */
  readonly any: boolean;
  allows(origin: string): boolean;
}

const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/(?:[a-z0-9_.-]+|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?$/u;

/**
 * Compiles `https://shop.example.com`, `https://*.example.com` (any number of labels, at least one), `null` and `*`. Scheme and host
 * are compared in lower case, ports as they are written. With credentials `*` does not stand for `null`, which every sandboxed
 * document can claim to be. `problem` is told which entries are none of these; they match nothing.
 */
export function originRule(
  entries: readonly string[],
  credentials: boolean,
  problem: (index: number) => void,
): OriginRule {
  const exact = new Set<string>();
  const suffixes: { readonly scheme: string; readonly tail: string }[] = [];
  let all = false;
  for (const [index, entry] of entries.entries()) {
    const text = entry.toLowerCase();
    const [scheme = "", rest = ""] = text.split("://*.", 2);
    if (text === "*") all = true;
    else if (text === "null" || ORIGIN.test(text)) exact.add(text);
    else if (rest !== "" && ORIGIN.test(`${scheme}://${rest}`))
      suffixes.push({ scheme: `${scheme}://`, tail: `.${rest}` });
    else problem(index);
  }
  return {
    any: all && !credentials,
    allows(origin) {
      const text = origin.toLowerCase();
      if (exact.has(text)) return true;
      if (text === "null") return all && !credentials;
      if (!ORIGIN.test(text)) return false;
      if (all) return true;
      return suffixes.some(
        ({ scheme, tail }) =>
          text.length > scheme.length + tail.length && text.startsWith(scheme) && text.endsWith(tail),
      );
    },
  };
}
