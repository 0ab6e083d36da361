const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const WELL_FORMED = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * Base64 as the server writes it back: line breaks dropped and unused bits cleared. Returns the offset of the first wrong
 * byte instead when the text is not base64.
 */
export function canonicalBase64(text: string): string | number {
  const bare = /[\r\n]/.test(text) ? text.replace(/[\r\n]/g, "") : text;
  if (!WELL_FORMED.test(bare)) return firstWrongByte(text);
  if (bare.endsWith("==")) return clearBits(bare, bare.length - 3, 0x30);
  return bare.endsWith("=") ? clearBits(bare, bare.length - 2, 0x3c) : bare;
}

function clearBits(text: string, at: number, mask: number): string {
  const value = ALPHABET.indexOf(text[at]!);
  const kept = value & mask;
  return kept === value ? text : text.slice(0, at) + ALPHABET[kept]! + text.slice(at + 1);
}

/** Where Go's decoder stops: within a group of four, at the group's start when the text ends too early. */
function firstWrongByte(text: string): number {
  let inGroup = 0;
  let at = 0;
  const skipBreaks = (): void => {
    while (text[at] === "\n" || text[at] === "\r") at++;
  };
  for (skipBreaks(); at < text.length; skipBreaks()) {
    const char = text[at++]!;
    if (char === "=") {
      if (inGroup < 2) return at - 1;
      if (inGroup === 2) {
        skipBreaks();
        if (at === text.length) return text.length;
        if (text[at] !== "=") return at - 1;
        at++;
      }
      skipBreaks();
      return at;
    }
    if (!ALPHABET.includes(char)) return at - 1;
    inGroup = (inGroup + 1) % 4;
  }
  return text.length - inGroup;
}
