/** Letters of these are written beside each other in one word. */
const TOGETHER: readonly (readonly string[])[] = [
  ["Latin", "Han", "Hiragana", "Katakana"],
  ["Latin", "Han", "Bopomofo"],
  ["Latin", "Han", "Hangul"],
];

/** Those of these are not. */
const ALONE =
  "Arabic Armenian Bengali Cyrillic Devanagari Ethiopic Georgian Greek Gujarati Gurmukhi Hebrew Kannada Khmer Lao Malayalam Mongolian Myanmar Oriya Sinhala Tamil Telugu Thaana Thai Tibetan";

/** Digits, dashes and accents belong to no script. */
const SHARED = ["Common", "Inherited"];

const patterns: readonly RegExp[] = [...TOGETHER, ...ALONE.split(" ").map((script) => [script])].map((scripts) => {
  const classes = [...scripts, ...SHARED].map((script) => `\\p{Script=${script}}`);
  return new RegExp(`^[${classes.join("")}]*$`, "u");
});

/**
 * Whether a label mixes letters of scripts that are not written together, as names do that are made to look like others: `оpendi`
 * with a Cyrillic о. Scripts that hardly anybody writes count as mixed.
 */
export function mixesScripts(label: string): boolean {
  return !patterns.some((pattern) => pattern.test(label));
}
