import { quoted } from "@gatewright/gateway/rows";
import type { FieldMatch } from "@gatewright/gateway/rows";
import type {
  HeaderMatcherSchema,
  QueryParameterMatcherSchema,
  StringMatcherSchema,
} from "@gatewright/gateway-wire/xds";
import { headerRegex } from "./path-match.ts";
import type { Init } from "../packed.ts";

type HeaderMatcherInit = Init<typeof HeaderMatcherSchema>;
type QueryMatcherInit = Init<typeof QueryParameterMatcherSchema>;
type StringMatcherInit = Init<typeof StringMatcherSchema>;
type TextTest = Extract<FieldMatch["test"], { readonly value: string }>;

/** A condition on a header. What is asked of the host does not concern its port. */
export function headerMatcher({ name, test }: FieldMatch): HeaderMatcherInit {
  if (test.type === "present" || test.type === "absent")
    return {
      name: name === "host" ? ":authority" : name,
      headerMatchSpecifier: { case: "presentMatch", value: true },
      invertMatch: test.type === "absent",
    };
  if (name === "host") return headerRegex(":authority", hostPattern(test));
  return { name, headerMatchSpecifier: { case: "stringMatch", value: stringMatcher(test) } };
}

/** A condition on a query parameter. */
export function queryMatcher({ name, test }: FieldMatch): QueryMatcherInit {
  if (test.type === "present" || test.type === "absent")
    return { name, queryParameterMatchSpecifier: { case: "presentMatch", value: test.type === "present" } };
  const value =
    test.type === "exact"
      ? ({ matchPattern: { case: "safeRegex", value: { regex: escaped(test.value) } } } as const)
      : stringMatcher(test);
  return { name, queryParameterMatchSpecifier: { case: "stringMatch", value } };
}

/** A condition on the method. GET answers HEAD too. */
export function methodMatcher(methods: ReadonlySet<string>): HeaderMatcherInit {
  const names = new Set(methods);
  if (names.has("GET")) names.add("HEAD");
  return headerRegex(":method", [...names].map(quoted).join("|"));
}

export function stringMatcher(test: TextTest): StringMatcherInit {
  if (test.type === "regex") return { matchPattern: { case: "safeRegex", value: { regex: test.value } } };
  return { matchPattern: { case: test.type, value: test.value } };
}

/** A text as it may stand in a query: Envoy compares what was sent, whether characters are escaped in it or not. */
function escaped(text: string): string {
  const parts = Array.from(text, (character) => {
    if (/[\w.~-]/u.test(character)) return quoted(character);
    const codes = Array.from(Buffer.from(character), (byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
    return `(?:${quoted(character)}|(?i:${codes})${character === " " ? String.raw`|\+` : ""})`;
  });
  return parts.join("");
}

function hostPattern(test: TextTest): string {
  const host =
    test.type === "regex" ? `(?:${test.value})` : `(?i:${quoted(test.value)})${test.type === "prefix" ? ".*" : ""}`;
  return `${host}(?::[0-9]+)?`;
}
