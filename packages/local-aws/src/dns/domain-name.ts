/**
 * An absolute domain name as Route 53 shows it: lower case, a dot at the end, every byte but letters, digits, `-` and `_` as
 * `\ooo`. Equal names are equal strings, and the labels are what stands between the dots. The root is ".".
 */
export type DomainName = string;

/** Why a text is no domain name, and the piece of it that is at fault. */
export interface NameProblem {
  readonly problem:
    | "DomainNameEmpty"
    | "DomainNameTooLong"
    | "DomainLabelEmpty"
    | "DomainLabelTooLong"
    | "UnsupportedCharacter";
  readonly at: string;
}

const LONGEST_NAME = 255;
const LONGEST_LABEL = 63;

/** Reads a name that a person or a client wrote; the dot at the end may be missing, `\ooo` stands for any byte. */
export function parseDomainName(text: string): DomainName | NameProblem {
  if (text === ".") return ".";
  if (text === "") return { problem: "DomainNameEmpty", at: "" };
  // Longer than every byte of the longest name escaped.
  if (text.length > 4 * LONGEST_NAME) return { problem: "DomainNameTooLong", at: text.slice(0, LONGEST_NAME) };
  const labels = (text.endsWith(".") ? text.slice(0, -1) : text).split(".");
  let length = 1;
  let name = "";
  for (const label of labels) {
    const bytes = labelBytes(label);
    if (bytes === undefined) return { problem: "UnsupportedCharacter", at: label };
    if (bytes.length === 0) return { problem: "DomainLabelEmpty", at: "" };
    if (bytes.length > LONGEST_LABEL) return { problem: "DomainLabelTooLong", at: label };
    length += bytes.length + 1;
    name += `${formatLabel(bytes)}.`;
  }
  return length > LONGEST_NAME ? { problem: "DomainNameTooLong", at: text } : name;
}

/** The name, or undefined for what is none. */
export function domainName(text: string): DomainName | undefined {
  const name = parseDomainName(text);
  return typeof name === "string" ? name : undefined;
}

/** The name of labels as they are in a message. */
export function nameOfLabels(labels: readonly Uint8Array[]): DomainName {
  return labels.length === 0 ? "." : labels.map((label) => `${formatLabel(label)}.`).join("");
}

/** The labels of a name as they are in a message, the root's empty one left out. */
export function wireLabels(name: DomainName): Uint8Array[] {
  return name === "."
    ? []
    : name
        .slice(0, -1)
        .split(".")
        .map((label) => labelBytes(label) ?? new Uint8Array());
}

/** The name without its first label; undefined for the root. */
export function parentName(name: DomainName): DomainName | undefined {
  if (name === ".") return undefined;
  return name.slice(name.indexOf(".") + 1) || ".";
}

/** Whether the name is the zone's or one below it. */
export function isWithin(name: DomainName, zone: DomainName): boolean {
  return name === zone || zone === "." || name.endsWith(`.${zone}`);
}

/** The wildcard right below a name. */
export function wildcardBelow(name: DomainName): DomainName {
  return name === "." ? "\\052." : `\\052.${name}`;
}

/** Bytes of a label in presentation form; undefined when it has characters that must be escaped. */
function labelBytes(label: string): Uint8Array | undefined {
  const bytes: number[] = [];
  for (let at = 0; at < label.length; at++) {
    const code = label.charCodeAt(at);
    if (code === 0x5c) {
      const digits = /^[0-3][0-7]{2}/.exec(label.slice(at + 1, at + 4));
      if (!digits) return undefined;
      bytes.push(Number.parseInt(digits[0], 8));
      at += 3;
    } else if (code > 0x20 && code < 0x7f) bytes.push(code);
    else return undefined;
  }
  return Uint8Array.from(bytes);
}

function formatLabel(bytes: Uint8Array): string {
  let label = "";
  for (const byte of bytes) {
    const lower = byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
    const plain =
      (lower >= 0x61 && lower <= 0x7a) || (lower >= 0x30 && lower <= 0x39) || lower === 0x2d || lower === 0x5f;
    label += plain ? String.fromCharCode(lower) : `\\${lower.toString(8).padStart(3, "0")}`;
  }
  return label;
}
