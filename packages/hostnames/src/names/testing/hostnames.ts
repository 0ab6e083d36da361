import fc from "fast-check";

const inner = fc.constantFrom(..."abcxyz019-");
const end = fc.constantFrom(..."abcxyz019");
const label = fc
  .tuple(end, fc.array(inner, { maxLength: 6 }), end)
  .map(([first, middle, last]) => `${first}${middle.join("")}${last}`)
  .filter((text) => !text.startsWith("xn--"));
const top = fc.constantFrom("com", "de", "example", "museum");

/** Normalised hostnames, many of them near each other: the same few labels, with and without wildcard. */
export const hostnames: fc.Arbitrary<string> = fc
  .tuple(
    fc.boolean(),
    fc.array(fc.oneof(fc.constantFrom("a", "b", "opendi", "evil-opendi", "0"), label), { minLength: 1, maxLength: 4 }),
    top,
  )
  .map(([wildcard, labels, last]) => [...(wildcard ? ["*"] : []), ...labels, last].join("."));
