import { s } from "@gatewright/kube/define";
import type { Rule } from "@gatewright/kube/define";

/** What servers estimate rules by: more than any expression that people can read. */
const LONGEST_REGEX = 2048;

/** A regular expression. Servers refuse texts that RE2 cannot read. */
export const regex = (description: string) =>
  s
    .string({
      description: `${description} RE2 syntax.`,
      maxLength: LONGEST_REGEX,
      // True for every expression that compiles; an error for others.
      rules: [{ rule: "''.matches(self) in [true, false]", message: "write a regular expression in RE2 syntax" }],
    })
    .optional();

/** Of an object: one way of comparing at most. An empty text counts as none, as in manifests that tools wrote. */
export const oneComparison: Rule = {
  rule: `[${["exact", "prefix", "regex"].map((way) => `has(self.${way}) && self.${way} != ''`).join(", ")}].filter(set, set).size() <= 1`,
  message: "at most one of exact, prefix or regex may be set",
};

/** How a text is compared. Nothing set, or only empty texts: it matches whatever is there. */
export const stringMatch = (description: string, options: { readonly exact: string; readonly prefix: string }) =>
  s
    .object(
      {
        exact: s.string({ description: options.exact }).optional(),
        prefix: s.string({ description: options.prefix }).optional(),
        regex: regex("Regular expression for the whole of it."),
      },
      { description, rules: [oneComparison] },
    )
    .optional();
