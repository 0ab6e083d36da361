/** Scripts that people write together, each with the letters that are its own. Latin is written beside the Asian ones. */
const together: readonly RegExp[] = [
  /^[\p{Script=Latin}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Common}\p{Script=Inherited}]*$/u,
  /^[\p{Script=Latin}\p{Script=Han}\p{Script=Bopomofo}\p{Script=Common}\p{Script=Inherited}]*$/u,
  /^[\p{Script=Latin}\p{Script=Han}\p{Script=Hangul}\p{Script=Common}\p{Script=Inherited}]*$/u,
];
const shared = /[\p{Script=Common}\p{Script=Inherited}]/gu;
const single: readonly RegExp[] = [
  "Cyrillic",
  "Greek",
  "Arabic",
  "Hebrew",
  "Thai",
  "Devanagari",
  "Armenian",
  "Georgian",
]
  .concat("Bengali", "Tamil", "Telugu", "Kannada", "Malayalam", "Gujarati", "Gurmukhi", "Sinhala", "Lao", "Khmer")
  .concat("Myanmar", "Ethiopic", "Tibetan", "Mongolian", "Thaana", "Oriya")
  .map((script) => new RegExp(`^\\p{Script=${script}}*$`, "u"));

/**
 * Whether a label mixes letters of scripts that are not written together, as names do that are made to look like others: `оpendi`
 * with a Cyrillic о. Scripts that hardly anybody writes count as mixed.
 */
export function mixesScripts(label: string): boolean {
  if (together.some((scripts) => scripts.test(label))) return false;
  const letters = label.replaceAll(shared, "");
  return !single.some((script) => script.test(letters));
}
