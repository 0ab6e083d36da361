import { isCidrText, isIpv4Text, isIpv6Text } from "./ip-text.ts";
import { matchesPattern } from "./pattern.ts";

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const UUID3 = /^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const UUID4 = /^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i;
const UUID5 = /^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i;
const MAC =
  /^(?:[0-9a-f]{2}(?:([:-])[0-9a-f]{2})(?:\1[0-9a-f]{2}){4}(?:(?:\1[0-9a-f]{2}){2}|(?:\1[0-9a-f]{2}){14})?|[0-9a-f]{4}(?:\.[0-9a-f]{4}){2}(?:\.[0-9a-f]{4}|(?:\.[0-9a-f]{4}){7})?|[0-9a-f]{12}|[0-9a-f]{16}|[0-9a-f]{40})$/i;
const CARD =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$/;
const RGB_PART = String.raw`\s*(?:0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*`;
const RGB = new RegExp(`^rgb\\(${RGB_PART},${RGB_PART},${RGB_PART}\\)$`);
const LETTER = String.raw`[a-zA-Z0-9\p{S}\p{L}]`;
const HOSTNAME = new RegExp(
  `^(?:${LETTER}(?:-?${LETTER}{0,62})?|(?:${LETTER}(?:[a-zA-Z0-9\\-\\p{S}\\p{L}]{0,61}${LETTER})?\\.)+[a-zA-Z\\p{L}]{2,63})$`,
  "u",
);
const ATOM = String.raw`[^\s()<>\[\]:;@\\,."\u0000-\u001f\u007f]+`;
const ADDRESS = new RegExp(
  `^(?:${ATOM}(?:\\.${ATOM})*|"(?:[^"\\\\]|\\\\.)*")@(?:${ATOM}(?:\\.${ATOM})*|\\[[0-9A-Fa-f.:]+\\])$`,
  "u",
);
const TIME = /^([0-9]{2}):([0-9]{2}):([0-9]{2})(?:.[0-9]+)?(?:z|[+-][0-9]{2}:[0-9]{2})$/;
const GO_DURATION = /^[+-]?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/;
/** A count and a unit anywhere in the text. Unanchored, so it runs on the linear-time engine. */
const LOOSE_DURATION =
  "(?i)[0-9]\\s*(?:ns|nano[a-zµ]*|us|µs|micro[a-zµ]*|ms|milli[a-zµ]*|s|sec[a-zµ]*|m|min[a-zµ]*|h|hr|hour[a-zµ]*|d|day[a-zµ]*|w|wk|week[a-zµ]*)(?:[^a-zµ]|$)";
const NAME = "[a-z0-9](?:[-a-z0-9]*[a-z0-9])?";
const SHORT_NAME = new RegExp(`^${NAME}$`);
const LONG_NAME = new RegExp(`^${NAME}(?:\\.${NAME})*$`);

const bytes = (text: string): number => Buffer.byteLength(text);

/** A calendar date `2006-01-02` that exists. */
function isDate(text: string): boolean {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (!parts) return false;
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  if (month < 1 || month > 12 || day < 1) return false;
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return day <= (month === 2 ? (leap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31);
}

function isDateTime(text: string): boolean {
  const [date, time] = text.toLowerCase().split("t");
  if (date === undefined || time === undefined || !isDate(date)) return false;
  const parts = TIME.exec(time);
  return parts !== null && parts[1]! <= "23" && parts[2]! <= "59" && parts[3]! <= "59";
}

function isHostname(text: string): boolean {
  return bytes(text) <= 255 && HOSTNAME.test(text) && text.split(".").every((label) => bytes(label) <= 63);
}

function isEmail(text: string): boolean {
  if (text.length > 1000) return false;
  const named = /^[^<>]*<([^<>]*)>\s*$/.exec(text);
  return ADDRESS.test(named ? named[1]! : text.trim());
}

/** An absolute URI or an absolute path, as an HTTP request line may have it. */
function isRequestUri(text: string): boolean {
  if (text === "" || /[\u0000-\u001f\u007f]/.test(text)) return false;
  const scheme = /^[a-zA-Z][a-zA-Z0-9+.-]*:/.exec(text);
  const rest = scheme ? text.slice(scheme[0].length) : text;
  if (!rest.startsWith("/")) return scheme !== null && rest !== "";
  if (/%(?![0-9a-fA-F]{2})/.test(rest.split("?")[0]!)) return false;
  if (!scheme || !rest.startsWith("//")) return true;
  const authority = rest.slice(2).split(/[/?]/)[0]!;
  const host = authority.slice(authority.lastIndexOf("@") + 1);
  return /^(?:\[[^\]]*\]|[^\s<>"`{}|\\^[\]#:]*)(?::\d*)?$/.test(host);
}

function isCreditCard(text: string): boolean {
  const digits = text.replace(/[^0-9]+/g, "");
  if (!CARD.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    sum += i % 2 === 0 ? digit : digit < 5 ? digit * 2 : digit * 2 - 9;
  }
  return sum % 10 === 0;
}

function isIsbn10(text: string): boolean {
  const code = text.replace(/[\s-]+/g, "");
  if (!/^(?:[0-9]{9}X|[0-9]{10})$/.test(code)) return false;
  let sum = 0;
  for (let i = 0; i < 10; i++) sum += (i + 1) * (code[i] === "X" ? 10 : Number(code[i]));
  return sum % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const code = text.replace(/[\s-]+/g, "");
  if (!/^[0-9]{13}$/.test(code)) return false;
  let sum = 0;
  for (let i = 0; i < 12; i++) sum += (i % 2 === 0 ? 1 : 3) * Number(code[i]);
  return Number(code[12]) === (10 - (sum % 10)) % 10;
}

const isBase64 = (text: string): boolean => text !== "" && text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
const isDuration = (text: string): boolean => GO_DURATION.test(text) || matchesPattern(LOOSE_DURATION, text);

/** String formats by name without dashes, as schemas are matched. */
const CHECKS: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ["bsonobjectid", (text: string) => /^[0-9a-f]{24}$/i.test(text)],
  ["uri", isRequestUri],
  ["email", isEmail],
  ["hostname", isHostname],
  ["ipv4", (text: string) => isIpv4Text(text, true) || (text.includes(".") && isIpv6Text(text, true))],
  ["ipv6", (text: string) => isIpv6Text(text, false)],
  ["cidr", isCidrText],
  ["mac", (text: string) => MAC.test(text)],
  ["uuid", (text: string) => UUID.test(text)],
  ["uuid3", (text: string) => UUID3.test(text)],
  ["uuid4", (text: string) => UUID4.test(text)],
  ["uuid5", (text: string) => UUID5.test(text)],
  ["isbn", (text: string) => isIsbn10(text) || isIsbn13(text)],
  ["isbn10", isIsbn10],
  ["isbn13", isIsbn13],
  ["creditcard", isCreditCard],
  ["ssn", (text: string) => text.length === 11 && /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text)],
  ["hexcolor", (text: string) => /^#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/.test(text)],
  ["rgbcolor", (text: string) => RGB.test(text)],
  ["byte", isBase64],
  ["password", () => true],
  ["date", isDate],
  ["duration", isDuration],
  ["datetime", isDateTime],
  ["k8sshortname", (text: string) => text.length <= 63 && SHORT_NAME.test(text)],
  ["k8slongname", (text: string) => text.length <= 253 && LONG_NAME.test(text)],
]);

/** The format as far as it is checked for values of this type, or the empty string where it is only a note to readers. */
export function enforcedFormat(type: string, format: string): string {
  if (format === "") return "";
  switch (type) {
    case "":
    case "string":
      return CHECKS.has(format.replaceAll("-", "")) ? format : "";
    case "integer":
      return format === "int32" || format === "int64" ? format : "";
    case "number":
      return format === "float" || format === "double" ? format : "";
    default:
      return "";
  }
}

/** Whether a text has an enforced string format. Formats that are not known pass. */
export function hasFormat(format: string, text: string): boolean {
  return CHECKS.get(format.replaceAll("-", ""))?.(text) ?? true;
}
