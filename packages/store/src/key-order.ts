/**
 * Compares two keys by their UTF-8 bytes, which is the order of lists. UTF-16 order, what `<` gives, differs from it only
 * where a surrogate pair meets a character from U+E000 up.
 */
export function compareKeys(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return codePointRank(x) - codePointRank(y);
  }
  return a.length - b.length;
}

/** Lifts surrogates, which stand for the code points above U+FFFF, over all other code units. */
function codePointRank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
