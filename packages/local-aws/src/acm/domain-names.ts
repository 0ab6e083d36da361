import { invalidDomains, limitExceeded, patternMismatch } from "./refusals.ts";

/** As the model has it; what a label may look like is checked label by label, which cannot run away. */
const PATTERN = "(\\*\\.)?(((?!-)[A-Za-z0-9-]{0,62}[A-Za-z0-9])\\.)+((?!-)[A-Za-z0-9-]{1,62}[A-Za-z0-9])";
const LABEL = /^[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?$/;
const LONGEST_NAME = 253;
const LONGEST_COMMON_NAME = 64;

/** Whether a certificate can be asked for a name: at least two labels, a wildcard only as the whole of the first. */
export function isDomainName(name: string): boolean {
  if (name.length > LONGEST_NAME) return false;
  const labels = (name.startsWith("*.") ? name.slice(2) : name).split(".");
  const last = labels.at(-1) ?? "";
  return labels.length >= 2 && last.length >= 2 && labels.every((label) => label.length <= 63 && LABEL.test(label));
}

/** The names of a request: lower case, the domain name first, none twice. Throws what ACM refuses. */
export function namesOf(domain: string, alternatives: readonly string[], most: number): readonly string[] {
  if (!isDomainName(domain)) throw patternMismatch(domain, "domainName", PATTERN);
  alternatives.forEach((name, i) => {
    if (!isDomainName(name)) throw patternMismatch(name, `subjectAlternativeNames.${i + 1}.member`, PATTERN);
  });
  if (domain.length > LONGEST_COMMON_NAME) {
    throw invalidDomains(`The first domain name can be no more than ${LONGEST_COMMON_NAME} characters.`);
  }
  const names = [...new Set([domain, ...alternatives].map((name) => name.toLowerCase()))];
  if (names.length > most)
    throw limitExceeded(`Error: the number of domain names ${names.length} exceeds the limit of ${most}.`);
  return names;
}

/** The name without its wildcard: what has to be proven. */
export function provenName(name: string): string {
  return name.startsWith("*.") ? name.slice(2) : name;
}
