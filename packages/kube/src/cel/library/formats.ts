import {
  isDNS1035Label,
  isDNS1123Label,
  isDNS1123Subdomain,
  isQualifiedName,
  isValidLabelValue,
  nameIsDNS1035Label,
  nameIsDNSLabel,
  nameIsDNSSubdomain,
} from "../../names.ts";
import { fn, method } from "../function.ts";
import type { Library } from "../function.ts";
import { ArrayList } from "../list.ts";
import { parseRequestUri } from "../request-uri.ts";
import { parseDate, parseTimestamp } from "../time.ts";
import { CelOptional } from "../value.ts";
import type { CelOpaque } from "../value.ts";

const type = "kubernetes.NamedFormat";

class NamedFormat implements CelOpaque {
  readonly kind = "opaque";
  readonly typeName = type;
  readonly name: string;
  /** How long a pattern the check is taken for when its cost is counted. */
  readonly patternSize: number;
  /** What is wrong with a text; nothing when it has the format. */
  readonly problems: (text: string) => readonly string[];

  constructor(name: string, patternSize: number, problems: (text: string) => readonly string[]) {
    this.name = name;
    this.patternSize = patternSize;
    this.problems = problems;
  }

  equals(other: CelOpaque): boolean {
    return other instanceof NamedFormat && this.name === other.name;
  }
}

const unless =
  (holds: (text: string) => boolean, problem: string) =>
  (text: string): readonly string[] =>
    holds(text) ? [] : [problem];
const uuid = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/;

function uriProblems(text: string): readonly string[] {
  const uri = parseRequestUri(text);
  return "problem" in uri ? [uri.problem] : [];
}

const named: ReadonlyMap<string, NamedFormat> = new Map(
  (
    [
      ["dns1123Label", 30, isDNS1123Label],
      ["dns1123Subdomain", 60, isDNS1123Subdomain],
      ["dns1035Label", 30, isDNS1035Label],
      ["qualifiedName", 60, isQualifiedName],
      ["dns1123LabelPrefix", 30, (text) => nameIsDNSLabel(text, true)],
      ["dns1123SubdomainPrefix", 60, (text) => nameIsDNSSubdomain(text, true)],
      ["dns1035LabelPrefix", 30, (text) => nameIsDNS1035Label(text, true)],
      ["labelValue", 40, isValidLabelValue],
      ["uri", 1104, uriProblems],
      ["uuid", 72, unless((text) => uuid.test(text), "does not match the UUID format")],
      ["byte", 84, unless((text) => base64.test(text), "invalid base64")],
      ["date", 72, unless((text) => parseDate(text) !== undefined, "invalid date")],
      ["datetime", 72, unless((text) => parseTimestamp(text) !== undefined, "invalid datetime")],
    ] satisfies [string, number, (text: string) => readonly string[]][]
  ).map(([name, size, problems]) => [name, new NamedFormat(name, size, problems)]),
);

/** Named formats of strings. */
export const formats: Library = [
  ...Array.from(
    named,
    ([name, format]) => [`format.${name}`, [fn(`format.${name}`, `-> ${type}`, () => format)]] as const,
  ),
  [
    "format.named",
    [fn("format-named", `string -> optional_type(${type})`, (name: string) => new CelOptional(named.get(name)))],
  ],
  [
    "validate",
    [
      method(
        "format-validate",
        `${type}, string -> optional_type(list(string))`,
        (format: NamedFormat, text: string) => {
          const problems = format.problems(text);
          return problems.length === 0 ? CelOptional.none : new CelOptional(new ArrayList([...problems]));
        },
      ),
    ],
  ],
];
