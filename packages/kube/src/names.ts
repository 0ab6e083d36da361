/**
 * The name rules of the API. Each check returns what is wrong with a value, as texts in kube-apiserver's words, and an empty
 * list for a value that may be used. Lengths count bytes of UTF-8.
 */

const LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;
const SUBDOMAIN_UNDERSCORE_LABEL = "_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
const SUBDOMAIN_UNDERSCORE = `${SUBDOMAIN_UNDERSCORE_LABEL}(\\.${SUBDOMAIN_UNDERSCORE_LABEL})*`;
const LABEL_1035 = "[a-z]([-a-z0-9]*[a-z0-9])?";
const QUALIFIED = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const LABEL_VALUE = `(${QUALIFIED})?`;
const C_IDENTIFIER = "[A-Za-z_][A-Za-z0-9_]*";
const ENV_VAR = "[-._a-zA-Z][-._a-zA-Z0-9]*";
const CONFIG_KEY = "[-._a-zA-Z0-9]+";
const HEADER = "[-A-Za-z0-9]+";
const PERCENT = "[0-9]+%";
const HTTP_PATH = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
const CONDITION_REASON = "[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?";

/** Whole-string match; groups do not capture, so that a long value costs no memory. */
const whole = (format: string): RegExp => new RegExp(`^(?:${format.replaceAll("(", "(?:")})$`);

const labelPattern = whole(LABEL);
const subdomainPattern = whole(SUBDOMAIN);
const qualifiedPattern = whole(QUALIFIED);
const httpPathPattern = /^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/;

function longer(value: string, max: number): boolean {
  return value.length > max || (value.length * 3 > max && Buffer.byteLength(value) > max);
}

/** `must be no more than 63 characters`. */
export const maxLengthError = (max: number): string => `must be no more than ${max} characters`;
const maxBytesError = (max: number): string => `must be no more than ${max} bytes`;

/** What does not match, with examples and the pattern: `… (e.g. 'a', or 'b', regex used for validation is 'p')`. */
export function regexError(text: string, pattern: string, ...examples: readonly string[]): string {
  if (examples.length === 0) return `${text} (regex used for validation is '${pattern}')`;
  return `${text} (e.g. ${examples.map((e) => `'${e}', `).join(" or ")}regex used for validation is '${pattern}')`;
}

/** `must be between 1 and 65535, inclusive`. */
export const inclusiveRangeError = (low: number, high: number): string =>
  `must be between ${low} and ${high}, inclusive`;

const LABEL_TEXT =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character";
const SUBDOMAIN_TEXT =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
const SUBDOMAIN_UNDERSCORE_TEXT = SUBDOMAIN_TEXT.replace("characters, '-'", "characters, '_', '-'");
const LABEL_1035_TEXT =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character";
const WILDCARD_TEXT =
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character";
const QUALIFIED_TEXT =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";

interface Rule {
  readonly pattern: RegExp;
  readonly mismatch: string;
  readonly max: number;
  readonly tooLong: string;
}

/** A value must match `format` and have at most `max` characters. `text` and `examples` make the message of a mismatch. */
function rule(format: string, text: string, examples: readonly string[], max = Infinity): Rule {
  return {
    pattern: whole(format),
    mismatch: regexError(text, format, ...examples),
    max,
    tooLong: maxLengthError(max),
  };
}

function check(value: string, { pattern, mismatch, max, tooLong }: Rule): string[] {
  const errors = longer(value, max) ? [tooLong] : [];
  if (!pattern.test(value)) errors.push(mismatch);
  return errors;
}

/** `my-name`: at most 63 characters, no dots. */
export function isDNS1123Label(value: string): string[] {
  if (value.length <= 63 && labelPattern.test(value)) return [];
  const errors = longer(value, 63) ? [maxLengthError(63)] : [];
  if (labelPattern.test(value)) return errors;
  const dotted = subdomainPattern.test(value);
  errors.push(dotted ? "must not contain dots" : regexError(LABEL_TEXT, LABEL, "my-name", "123-abc"));
  return errors;
}

const subdomainRule = rule(SUBDOMAIN, SUBDOMAIN_TEXT, ["example.com"], 253);
/** `my-name.example.com`: at most 253 characters. What most kinds are named by. */
export const isDNS1123Subdomain = (value: string): string[] => check(value, subdomainRule);

const subdomainUnderscoreRule = rule(SUBDOMAIN_UNDERSCORE, SUBDOMAIN_UNDERSCORE_TEXT, ["example.com"], 253);
/** As {@link isDNS1123Subdomain}, underscores allowed: DNS search paths of pods. */
export const isDNS1123SubdomainWithUnderscore = (value: string): string[] => check(value, subdomainUnderscoreRule);

const label1035Rule = rule(LABEL_1035, LABEL_1035_TEXT, ["my-name", "abc-123"], 63);
/** As {@link isDNS1123Label}, but starts with a letter: the names of Services. */
export const isDNS1035Label = (value: string): string[] => check(value, label1035Rule);

const wildcardRule = rule(`\\*\\.${SUBDOMAIN}`, WILDCARD_TEXT, ["*.example.com"], 253);
/** `*.example.com`: one star, in front. */
export const isWildcardDNS1123Subdomain = (value: string): string[] => check(value, wildcardRule);

const prefixRule: Rule = { ...subdomainRule, tooLong: maxBytesError(253) };
const qualifiedMismatch = regexError(QUALIFIED_TEXT, QUALIFIED, "MyName", "my.name", "123-abc");

/** A label key: `name`, or `example.com/name`. */
export function isQualifiedName(value: string): string[] {
  const slash = value.indexOf("/");
  if (slash >= 0 && value.includes("/", slash + 1)) {
    return [
      `a valid label key ${qualifiedMismatch} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const errors: string[] = [];
  const name = value.slice(slash + 1);
  if (slash === 0) errors.push("prefix part must be non-empty");
  if (slash > 0) for (const text of check(value.slice(0, slash), prefixRule)) errors.push(`prefix part ${text}`);
  if (name === "") errors.push("name part must be non-empty");
  else if (longer(name, 63)) errors.push(`name part ${maxBytesError(63)}`);
  if (!qualifiedPattern.test(name)) errors.push(`name part ${qualifiedMismatch}`);
  return errors;
}

const labelValueRule = {
  ...rule(
    LABEL_VALUE,
    `a valid label must be an empty string or ${QUALIFIED_TEXT.slice(5)}`,
    ["MyValue", "my_value", "12345"],
    63,
  ),
  tooLong: maxBytesError(63),
};
/** The value of a label; may be empty. */
export const isValidLabelValue = (value: string): string[] => check(value, labelValueRule);

/** What every name must be to stand in a URL: not `.` or `..`, without `/` and `%`. Empty passes. */
export function isPathSegmentName(value: string): string[] {
  if (value === "." || value === "..") return [`may not be '${value}'`];
  return ["/", "%"].filter((banned) => value.includes(banned)).map((banned) => `may not contain '${banned}'`);
}

function directoryErrors(value: string): string[] {
  if (value === "." || value === "..") return [`must not be '${value}'`];
  return value.startsWith("..") ? ["must not start with '..'"] : [];
}

const envVarRule = rule(
  ENV_VAR,
  "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit",
  ["my.env-name", "MY_ENV.NAME", "MyEnvName1"],
);
/** An environment variable name by the strict rule. See {@link isRelaxedEnvVarName} for what pods use today. */
export const isEnvVarName = (value: string): string[] => [...check(value, envVarRule), ...directoryErrors(value)];

/** An environment variable name as pods may use it: printable ASCII without `=`. */
export function isRelaxedEnvVarName(value: string): string[] {
  if (value === "") return ["environment variable name must be non-empty"];
  if (/^[ -<>-~]+$/.test(value)) return [];
  return ["a valid environment variable name must consist only of printable ASCII characters other than '='"];
}

const configKeyRule = rule(
  CONFIG_KEY,
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
  ["key.name", "KEY_NAME", "key-name"],
  253,
);
/** A key of a ConfigMap or Secret. */
export const isConfigMapKey = (value: string): string[] => [...check(value, configKeyRule), ...directoryErrors(value)];

/** A port name: at most 15 of `a-z0-9-`, a letter among them. */
export function isValidPortName(value: string): string[] {
  const errors: string[] = [];
  if (longer(value, 15)) errors.push(maxLengthError(15));
  if (!/^[-a-z0-9]+$/.test(value)) {
    errors.push("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
  }
  if (!/[a-z]/.test(value)) errors.push("must contain at least one letter (a-z)");
  if (value.includes("--")) errors.push("must not contain consecutive hyphens");
  if (value.startsWith("-") || value.endsWith("-")) errors.push("must not begin or end with a hyphen");
  return errors;
}

export const isValidPortNum = (port: number): string[] =>
  Number.isInteger(port) && port >= 1 && port <= 65535 ? [] : [inclusiveRangeError(1, 65535)];

const cIdentifierRule = rule(
  C_IDENTIFIER,
  "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_'",
  ["my_name", "MY_NAME", "MyName"],
);
export const isCIdentifier = (value: string): string[] => check(value, cIdentifierRule);

const headerRule = rule(HEADER, "a valid HTTP header must consist of alphanumeric characters or '-'", [
  "X-Header-Name",
]);
export const isHTTPHeaderName = (value: string): string[] => check(value, headerRule);

const percentRule = rule(PERCENT, "a valid percent string must be a numeric string followed by an ending '%'", [
  "1%",
  "93%",
]);
/** `25%`. */
export const isValidPercent = (value: string): string[] => check(value, percentRule);

const conditionReasonRule = rule(
  CONDITION_REASON,
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_'",
  ["my_name", "MY_NAME", "MyName", "ReasonA,ReasonB", "ReasonA:ReasonB"],
);
/** The `reason` of a standard condition. */
export const isValidConditionReason = (value: string): string[] => check(value, conditionReasonRule);

/** A path as URLs have it; the text for one that is not. */
export const isHTTPPath = (value: string): string[] =>
  httpPathPattern.test(value) ? [] : [regexError("Invalid path", HTTP_PATH)];

/** With `prefix`, a generateName: its last dash stands for the characters to come. */
function unmasked(name: string, prefix: boolean): string {
  return prefix && name.length > 1 && name.endsWith("-") ? `${name.slice(0, -2)}a` : name;
}

/** A name rule as strategies have it: what is wrong with a name, or (`prefix`) with a generateName. */
export type NameRule = (name: string, prefix: boolean) => readonly string[];

export const nameIsDNSSubdomain: NameRule = (name, prefix) => isDNS1123Subdomain(unmasked(name, prefix));
export const nameIsDNSLabel: NameRule = (name, prefix) => isDNS1123Label(unmasked(name, prefix));
export const nameIsDNS1035Label: NameRule = (name, prefix) => isDNS1035Label(unmasked(name, prefix));
/** RBAC kinds: `system:node` is a name. A generateName is judged as if it were the name. */
export const nameIsPathSegment: NameRule = (name) => isPathSegmentName(name);
