const PLAIN = /^[ !#-[\]-~]*$/;
const ESCAPED = /["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;
/** Characters that Go writes as a backslash and a sign of their own. */
export const SHORT_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ["\\", "\\\\"],
  ["\x07", "\\a"],
  ["\b", "\\b"],
  ["\f", "\\f"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
  ["\v", "\\v"],
]);

/** A character as Go escapes it in a quoted string. */
export function escapeCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = (digits: number): string => code.toString(16).padStart(digits, "0");
  if (code < 0x20 || code === 0x7f) return SHORT_ESCAPES.get(character) ?? `\\x${hex(2)}`;
  return SHORT_ESCAPES.get(character) ?? (code < 0x10000 ? `\\u${hex(4)}` : `\\U${hex(8)}`);
}

/** A string as Go's %q prints it: what kubectl users are used to reading. */
export function quote(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : `"${text.toWellFormed().replace(ESCAPED, escapeCharacter)}"`;
}
