/** What a character is in a head, by its code: one look instead of ranges. */
function table(isMember: (code: number) => boolean): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, code) => (isMember(code) ? 1 : 0));
}

const TOKEN_CHARACTERS = /[!#$%&'*+\-.^_`|~0-9A-Za-z]/;

/** Of tokens: methods and names of fields. */
export const TOKEN = table((code) => TOKEN_CHARACTERS.test(String.fromCharCode(code)));

/** A bit of {@link NAME}: a capital letter. */
export const CAPITAL = 2;
/** A bit of {@link NAME}: an underscore. */
export const UNDERSCORE = 4;

/** Of names of fields: 0 for what they cannot have, else 1 with the bits of what needs a second look. */
export const NAME = Uint8Array.from(TOKEN, (isToken, code) => {
  if (isToken === 0) return 0;
  if (code >= 0x41 && code <= 0x5a) return 1 + CAPITAL;
  return code === 0x5f ? 1 + UNDERSCORE : 1;
});

/** Of values: everything visible, blanks, and the bytes above ASCII. No other control character. */
export const VALUE = table((code) => code === 9 || (code >= 0x20 && code !== 0x7f));

/** Of a request's first line and its host: everything visible. */
const VISIBLE = table((code) => code > 0x20 && code < 0x7f);

/** Digits of base 16 and what they stand for; 255 for the others. */
export const HEX = Uint8Array.from({ length: 256 }, (_, code) => {
  const digit = "0123456789abcdef".indexOf(String.fromCharCode(code).toLowerCase());
  return digit === -1 ? 255 : digit;
});

export const TAB = 9;
export const LF = 10;
export const CR = 13;
export const SPACE = 32;

/** Whether all of a text is a token. */
export function isToken(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (TOKEN[text.charCodeAt(at)] !== 1) return false;
  return text.length > 0;
}

/** Whether a text is visible ASCII without blanks, and not empty. */
export function isVisible(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (VISIBLE[text.charCodeAt(at)] !== 1) return false;
  return text.length > 0;
}
