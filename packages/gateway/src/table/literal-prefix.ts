/** Characters that stand for themselves after a backslash. */
const ESCAPED_LITERAL = /[^A-Za-z0-9]/u;
const SPECIAL = new Set([".", "[", "(", "*", "+", "?", "{", "|", "^", "$", ")", "\\"]);

/**
 * A text that everything begins with that a pattern of RE2 matches as a whole: the shortest guess when in doubt, the empty string at
 * worst. Rows are sorted out by it before the pattern is asked.
 */
export function literalPrefix(pattern: string): string {
  if (hasAlternatives(pattern)) return "";
  let literal = "";
  let at = pattern.startsWith("^") ? 1 : 0;
  while (at < pattern.length) {
    let character = pattern[at] ?? "";
    let width = 1;
    if (character === "\\") {
      character = pattern[at + 1] ?? "";
      if (!ESCAPED_LITERAL.test(character)) return literal;
      width = 2;
    } else if (SPECIAL.has(character) || isSurrogate(character)) return literal;
    const next = pattern[at + width];
    if (next === "*" || next === "?" || next === "{") return literal;
    literal += character;
    if (next === "+") return literal;
    at += width;
  }
  return literal;
}

function isSurrogate(character: string): boolean {
  const code = character.charCodeAt(0);
  return code >= 0xd800 && code <= 0xdfff;
}

/** Whether there may be a `|` outside of all groups. Quoted stretches (`\Q…\E`) count as if there were. */
function hasAlternatives(pattern: string): boolean {
  if (!pattern.includes("|")) return false;
  if (pattern.includes("\\Q")) return true;
  let depth = 0;
  let inClass = false;
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at];
    if (character === "\\") at++;
    else if (inClass) {
      if (character === "]") inClass = false;
      // `[:alpha:]` has a bracket of its own.
      else if (character === "[" && pattern[at + 1] === ":") at = Math.max(at, pattern.indexOf(":]", at) + 1);
    } else if (character === "[") {
      inClass = true;
      // A bracket that comes first in a class belongs to it.
      if (pattern[at + 1] === "^") at++;
      if (pattern[at + 1] === "]") at++;
    } else if (character === "(") depth++;
    else if (character === ")") depth--;
    else if (character === "|" && depth === 0) return true;
  }
  return false;
}
