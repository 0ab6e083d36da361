import type { elbv2 } from "@gatewright/aws";
import type { MatchView } from "../cluster/route-view.ts";

/** The conditions of a rule: all must hold. A load balancer wants at least one, so a rule for everything says so by its path. */
export function ruleConditions(
  match: MatchView,
  hostname: string | undefined,
  sourceIps: readonly string[],
): readonly elbv2.RuleCondition[] {
  const conditions = [
    ...(hostname === undefined ? [] : [hostCondition(hostname)]),
    ...pathConditions(match.path),
    ...match.headers.map(headerCondition),
    ...match.query.map(({ name, value }) => ({
      Field: "query-string",
      QueryStringConfig: { Values: [{ Key: literal(name), Value: literal(value) }] },
    })),
    ...(match.method === undefined
      ? []
      : [{ Field: "http-request-method", HttpRequestMethodConfig: { Values: [match.method] } }]),
    ...(sourceIps.length === 0 ? [] : [{ Field: "source-ip", SourceIpConfig: { Values: sourceIps } }]),
  ];
  return conditions.length > 0 ? conditions : [pathCondition(["/*"])];
}

function hostCondition(hostname: string): elbv2.RuleCondition {
  return { Field: "host-header", HostHeaderConfig: { Values: [hostname] } };
}

function pathConditions({ type, value }: MatchView["path"]): readonly elbv2.RuleCondition[] {
  switch (type) {
    case "Exact":
    case "Wildcards":
      return [pathCondition([value])];
    case "RegularExpression":
      return [{ Field: "path-pattern", PathPatternConfig: { RegexValues: [value] } }];
    case "PathPrefix": {
      const prefix = value.replace(/\/+$/, "");
      // A prefix is one of whole elements: the path itself, or what is below it.
      return prefix === "" ? [] : [pathCondition([prefix, `${prefix}/*`])];
    }
  }
}

function pathCondition(values: readonly string[]): elbv2.RuleCondition {
  return { Field: "path-pattern", PathPatternConfig: { Values: values } };
}

function headerCondition({ type, name, value }: MatchView["headers"][number]): elbv2.RuleCondition {
  const compared = type === "RegularExpression" ? { RegexValues: [value] } : { Values: [literal(value)] };
  return { Field: "http-header", HttpHeaderConfig: { HttpHeaderName: name, ...compared } };
}

/** Load balancers take `*` and `?` for wildcards unless they are escaped. */
function literal(text: string): string {
  return text.replaceAll(/[\\*?]/g, String.raw`\$&`);
}
