/** The numbers of the named groups of a pattern of RE2: substitutions know groups by number only. */
export function groupNumbers(pattern: string): ReadonlyMap<string, number> {
  const numbers = new Map<string, number>();
  let count = 0;
  let inClass = false;
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at];
    if (character === "\\") at++;
    else if (inClass) inClass = character !== "]";
    else if (character === "[") {
      inClass = true;
      if (pattern[at + 1] === "^") at++;
      // A bracket that comes first in a class belongs to it.
      if (pattern[at + 1] === "]") at++;
    } else if (character === "(") {
      const named = /^\?P?<([A-Za-z_][A-Za-z0-9_]*)>/u.exec(pattern.slice(at + 1));
      if (pattern[at + 1] === "?" && named === null) continue;
      count++;
      const name = named?.[1];
      if (name !== undefined) numbers.set(name, count);
    }
  }
  return numbers;
}
