import { BlockList, isIPv6 } from "node:net";
import type { RuleCondition } from "@gatewright/aws-wire/types/elbv2";
import type { Header } from "./message.ts";
import { matchesWildcard } from "../wildcard.ts";

/** What conditions look at. */
export interface RoutedRequest {
  readonly method: string;
  /** Without port, in lower case. */
  readonly host: string;
  readonly path: string;
  /** Without the question mark; empty when there is none. */
  readonly query: string;
  readonly headers: readonly Header[];
  readonly sourceIp: string;
}

type Test = (request: RoutedRequest) => boolean;

/** Whether a request meets all conditions of a rule. Compiled once, asked often. */
export function compileConditions(conditions: readonly RuleCondition[]): Test {
  const tests = conditions.map(compileCondition);
  return (request) => tests.every((test) => test(request));
}

function compileCondition(condition: RuleCondition): Test {
  switch (condition.Field) {
    case "host-header": {
      const patterns = (condition.HostHeaderConfig?.Values ?? condition.Values ?? []).map((value) =>
        value.toLowerCase(),
      );
      return ({ host }) => patterns.some((pattern) => matchesWildcard(pattern, host));
    }
    case "path-pattern": {
      const patterns = condition.PathPatternConfig?.Values ?? condition.Values ?? [];
      return ({ path }) => patterns.some((pattern) => matchesWildcard(pattern, path));
    }
    case "http-header": {
      const name = (condition.HttpHeaderConfig?.HttpHeaderName ?? "").toLowerCase();
      const patterns = (condition.HttpHeaderConfig?.Values ?? []).map((value) => value.toLowerCase());
      return ({ headers }) =>
        headers.some(
          ([key, value]) =>
            key.toLowerCase() === name && patterns.some((pattern) => matchesWildcard(pattern, value.toLowerCase())),
        );
    }
    case "http-request-method": {
      const methods = new Set(condition.HttpRequestMethodConfig?.Values);
      return ({ method }) => methods.has(method);
    }
    case "query-string": {
      const wanted = condition.QueryStringConfig?.Values ?? [];
      return ({ query }) => {
        const pairs = queryPairs(query);
        return wanted.some(({ Key: key, Value: value = "" }) =>
          pairs.some((pair) => (key === undefined || matches(key, pair.key)) && matches(value, pair.value)),
        );
      };
    }
    case "source-ip":
      return sourceTest(condition.SourceIpConfig?.Values ?? []);
    default:
      return () => false;
  }
}

function matches(pattern: string, text: string): boolean {
  return matchesWildcard(pattern.toLowerCase(), text.toLowerCase(), { escapes: true });
}

function queryPairs(query: string): readonly { readonly key: string; readonly value: string }[] {
  if (query === "") return [];
  return query.split("&").map((part) => {
    const equals = part.indexOf("=");
    // What has no key is a value.
    if (equals < 0) return { key: "", value: decoded(part) };
    return { key: decoded(part.slice(0, equals)), value: decoded(part.slice(equals + 1)) };
  });
}

/** Percent-decoded, or as it is when it cannot be. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A stray percent sign stands for itself.
    return text;
  }
}

/** A list for each family: in a single one, a net of all IPv6 addresses would hold those of IPv4 too. */
function sourceTest(cidrs: readonly string[]): Test {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const cidr of cidrs) {
    const [address = "", bits = ""] = cidr.split("/");
    lists[familyOf(address)].addSubnet(address, Number(bits), familyOf(address));
  }
  return ({ sourceIp }) => lists[familyOf(sourceIp)].check(sourceIp, familyOf(sourceIp));
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIPv6(address) ? "ipv6" : "ipv4";
}
