import { s } from "@gatewright/kube/define";
import type { Rule } from "@gatewright/kube/define";

/** Lower-case labels below a top-level domain, with a wildcard in front if any. */
const CANONICAL = String.raw`^(\*\.)?([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?\.)+[a-z]([-a-z0-9]{0,61}[a-z0-9])$`;

/**
 * The same as users may write it: in any case, and with the dot that ends names in zone files. Load balancers take letters alone after
 * the last dot; claims and grants that were made before that was asked for stay valid.
 */
const WRITTEN = String.raw`^(\*\.)?([A-Za-z0-9]([-A-Za-z0-9]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}\.?$`;

const LONGEST = 253;

/** As many characters load balancers compare: a rule with more is refused, and with it all that its load balancer is asked for. */
const LONGEST_SERVED = 128;

const isTooLong = `size(self) > (self.endsWith('.') ? ${LONGEST_SERVED + 1} : ${LONGEST_SERVED})`;

/** What to write instead, by the first mistake that is found. */
const mistakes: readonly (readonly [found: string, words: string])[] = [
  [
    "self.matches('[/:@?#%]')",
    "write the hostname alone, without scheme, user, port or path, such as shop.example.com",
  ],
  [
    "!self.matches('^[-A-Za-z0-9_.*]+$')",
    "a hostname has letters a to z, digits, dashes and dots; write other letters in punycode, such as xn--mnchen-3ya.example.com",
  ],
  ["self.contains('_')", "a hostname has no underscores; write a dash instead"],
  [
    "self.contains('*') && (!self.startsWith('*.') || self.lastIndexOf('*') > 0)",
    "a wildcard is the whole first label and there is one only, such as *.shop.example.com",
  ],
  ["self.contains('..') || self.startsWith('.')", "there is nothing between two dots; write one dot between labels"],
  [
    `${isTooLong} || self.matches('[^.]{64}')`,
    `a label has 63 characters at most, a hostname ${LONGEST_SERVED}: load balancers take no more`,
  ],
  ["self.matches('(^|[.])-|-([.]|$)')", "labels begin and end with a letter or a digit"],
  [
    "self.matches('(^|[.])[0-9][^.]*[.]?$')",
    "the last label begins with a letter; write the name of a host, not an IP address",
  ],
  [
    "self.matches('[-0-9][^.]*[.]?$')",
    "the last label has letters only, without digits and dashes, so not in punycode either: load balancers take no others",
  ],
];
const OTHERWISE = "write a hostname below a domain, such as shop.example.com";

const wellFormed: Rule = {
  rule: `self.matches('${WRITTEN.replaceAll("\\", "\\\\")}') && !(${isTooLong})`,
  message: OTHERWISE,
  messageExpression: `${mistakes.map(([found, words]) => `${found} ? '${words}'`).join(" : ")} : '${OTHERWISE}'`,
};

/** A hostname as users write it. Controllers normalise it. */
export const writtenHostname = (description: string) =>
  s.string({ description, minLength: 1, maxLength: LONGEST + 1, rules: [wellFormed] });

/** A hostname in the one form that is compared. */
export const canonicalHostname = (description: string, rules: readonly Rule[] = []) =>
  s.string({ description, minLength: 1, maxLength: LONGEST, pattern: CANONICAL, rules });
