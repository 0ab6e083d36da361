import type { RdataProblem } from "./rdata-fields.ts";

const LONGEST = 255;

/** Reads `"one" "two"`: strings of at most 255 bytes in quotation marks, `\"`, `\\` and `\ooo` inside. */
export function characterStrings(value: string): readonly Uint8Array[] | RdataProblem {
  const strings: Uint8Array[] = [];
  let at = 0;
  while (at < value.length) {
    if (value[at] === " " || value[at] === "\t") at++;
    else if (value[at] === '"') {
      const string = quoted(value, at + 1);
      if (!string) return unquoted(value);
      if (string.bytes.length > LONGEST) {
        return { problem: "CharacterStringTooLong", says: "Value is too long", at: value };
      }
      strings.push(string.bytes);
      at = string.end;
    } else return unquoted(value);
  }
  return strings.length === 0 ? unquoted(value) : strings;
}

function unquoted(value: string): RdataProblem {
  return { problem: "InvalidCharacterString", says: "Value should be enclosed in quotation marks", at: value };
}

/** The string that begins after a quotation mark, and where the text goes on; undefined when it does not end. */
function quoted(value: string, start: number): { readonly bytes: Uint8Array; readonly end: number } | undefined {
  const bytes: number[] = [];
  for (let at = start; at < value.length; at++) {
    const character = value.charAt(at);
    if (character === '"') return { bytes: Uint8Array.from(bytes), end: at + 1 };
    if (character === "\\") {
      const octal = /^[0-3][0-7]{2}/.exec(value.slice(at + 1, at + 4));
      if (octal) {
        bytes.push(Number.parseInt(octal[0], 8));
        at += 3;
        continue;
      }
      at++;
      if (at >= value.length) return undefined;
    }
    const code = value.charCodeAt(at);
    // Beyond ASCII only octal codes are taken.
    if (code > 0x7e || code < 0x20) return undefined;
    bytes.push(code);
  }
  return undefined;
}
