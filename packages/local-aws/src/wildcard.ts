/**
 * Whether a text matches a pattern as a whole: `*` stands for any number of characters, `?` for exactly one, and with `escapes` a
 * backslash takes the meaning from the next of them. Takes time in proportion to both lengths multiplied, never more.
 */
export function matchesWildcard(pattern: string, text: string, { escapes = false } = {}): boolean {
  const parts = tokens(pattern, escapes);
  const letters = [...text];
  let at = 0;
  let part = 0;
  let star = -1;
  let resume = 0;
  while (at < letters.length) {
    const token = parts[part];
    if (token === ANY) {
      star = part++;
      resume = at;
    } else if (token === ONE || (token !== undefined && token === letters[at])) {
      part++;
      at++;
    } else if (star >= 0) {
      part = star + 1;
      at = ++resume;
    } else {
      return false;
    }
  }
  while (parts[part] === ANY) part++;
  return part === parts.length;
}

const ANY = Symbol("any number of characters");
const ONE = Symbol("one character");

function tokens(pattern: string, escapes: boolean): readonly (string | symbol)[] {
  const out: (string | symbol)[] = [];
  let escaped = false;
  for (const letter of pattern) {
    if (escaped) out.push(letter);
    else if (letter === "*") out.push(ANY);
    else if (letter === "?") out.push(ONE);
    else if (!(escapes && letter === "\\")) out.push(letter);
    escaped = !escaped && escapes && letter === "\\";
  }
  if (escaped) out.push("\\");
  return out;
}
