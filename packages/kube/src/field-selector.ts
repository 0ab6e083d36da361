import { SelectorError } from "./label-selector.ts";

/** One condition on one field; `==` is read as `=`. */
export interface FieldRequirement {
  readonly label: string;
  readonly operator: "=" | "!=";
  readonly value: string;
}

/** Reads a `fieldSelector`: `metadata.name=a,status.phase!=Running`, with `\` before `,`, `=` and `\` in values.
 * Whether a label may be selected by is the kind's to say. Throws {@link SelectorError}. */
export function parseFieldSelector(text: string): readonly FieldRequirement[] {
  return splitTerms(text)
    .filter((term) => term !== "")
    .sort()
    .map((term) => {
      const sign = /!=|==|=/.exec(term);
      if (!sign) throw new SelectorError(`invalid selector: '${text}'; can't understand '${term}'`);
      return {
        label: term.slice(0, sign.index),
        operator: sign[0] === "!=" ? "!=" : "=",
        value: unescape(term.slice(sign.index + sign[0].length)),
      };
    });
}

function splitTerms(text: string): string[] {
  const terms: string[] = [];
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === "\\") {
      i++;
    } else if (text[i] === ",") {
      terms.push(text.slice(start, i));
      start = i + 1;
    }
  }
  terms.push(text.slice(start));
  return terms;
}

function unescape(value: string): string {
  if (!/[\\,=]/.test(value)) return value;
  return value.replace(/\\([^]?)|[,=]/gu, (found, escaped: string | undefined) => {
    if (escaped === undefined) {
      throw new SelectorError(`invalid field selector: unescaped character in value: ${found.codePointAt(0)}`);
    }
    if (escaped === "\\" || escaped === "," || escaped === "=") return escaped;
    throw new SelectorError(`invalid field selector: invalid escape sequence: ${found}`);
  });
}
