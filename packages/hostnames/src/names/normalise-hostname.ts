import { domainToASCII, domainToUnicode } from "node:url";
import { mixesScripts } from "./scripts.ts";

/** A hostname in the one form that is compared, or what is wrong with the text and what to write instead. */
export type NormalisedHostname = { readonly hostname: string } | { readonly problem: string };

/** Load balancers compare no more. */
const LONGEST = 128;
const LONGEST_LABEL = 63;

type Check = (name: string, labels: readonly string[]) => string | undefined;

/** In order: the first that finds something is what the user is told. Each may rely on those before it. */
const checks: readonly Check[] = [
  (name) => (name === "" ? "the hostname is empty" : undefined),
  (name) =>
    /[/:@?#%]/.test(name)
      ? "write the hostname alone, without scheme, user, port or path, such as shop.example.com"
      : undefined,
  (name) =>
    /^[-a-z0-9_.*]+$/.test(name)
      ? undefined
      : "a hostname has letters a to z, digits, dashes and dots; write other letters in punycode, such as xn--mnchen-3ya.example.com",
  (name) => (name.includes("_") ? "a hostname has no underscores; write a dash instead" : undefined),
  (_, [first, ...rest]) =>
    (first?.includes("*") === true && first !== "*") || rest.some((label) => label.includes("*"))
      ? "a wildcard is the whole first label and there is one only, such as *.shop.example.com"
      : undefined,
  (_, labels) => (labels.includes("") ? "there is nothing between two dots; write one dot between labels" : undefined),
  (name, labels) =>
    name.length > LONGEST || labels.some(({ length }) => length > LONGEST_LABEL)
      ? `a label has ${LONGEST_LABEL} characters at most, a hostname ${LONGEST}: load balancers take no more`
      : undefined,
  (_, labels) =>
    labels.some((label) => label.startsWith("-") || label.endsWith("-"))
      ? "labels begin and end with a letter or a digit"
      : undefined,
  (_, labels) =>
    /^[0-9]/.test(labels.at(-1) ?? "")
      ? "the last label begins with a letter; write the name of a host, not an IP address"
      : undefined,
  // One rule that a load balancer does not take stops it for everybody on it.
  (_, labels) =>
    /[-0-9]/.test(labels.at(-1) ?? "")
      ? "the last label has letters only, without digits and dashes, so not in punycode either: load balancers take no others"
      : undefined,
  (_, labels) =>
    labels.length < (labels[0] === "*" ? 3 : 2) || labels.at(-1)!.length < 2
      ? "write a hostname below a domain, such as shop.example.com"
      : undefined,
  (_, labels) => firstProblem(labels, punycodeProblem),
];

/**
 * Brings a hostname into the form that is compared: lower case, without the dot at its end. Nothing else is changed: a text that
 * would only become a hostname by mapping letters to others (full-width forms, the Kelvin sign, soft hyphens) is refused, since what
 * people read is then not what is claimed. So are labels in punycode that mix scripts, which is how names are made to look like others.
 */
export function normaliseHostname(text: string): NormalisedHostname {
  const lower = text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  const hostname = lower.length > 1 && lower.endsWith(".") ? lower.slice(0, -1) : lower;
  const labels = hostname.split(".");
  const problem = firstProblem(checks, (check) => check(hostname, labels));
  return problem === undefined ? { hostname } : { problem };
}

function punycodeProblem(label: string): string | undefined {
  if (!label.startsWith("xn--")) return undefined;
  const shown = domainToUnicode(label);
  if (shown === "" || shown === label || domainToASCII(shown) !== label) {
    return `${label} is not punycode of any name; write what your registrar shows for it`;
  }
  return mixesScripts(shown)
    ? `${label} stands for a name of mixed scripts, which looks like another; use letters of one script in a label`
    : undefined;
}

function firstProblem<T>(items: readonly T[], problemOf: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const problem = problemOf(item);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
