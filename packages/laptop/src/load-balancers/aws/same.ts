import type { elbv2 } from "@gatewright/aws";

/** Whether everything that is wanted is as wanted. What AWS adds by itself does not matter. */
export function within(wanted: unknown, actual: unknown): boolean {
  if (wanted === actual || wanted === undefined) return true;
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(actual) &&
      actual.length === wanted.length &&
      wanted.every((item, index) => within(item, actual[index]))
    );
  }
  if (typeof wanted !== "object" || wanted === null || typeof actual !== "object" || actual === null) return false;
  const given = new Map<string, unknown>(Object.entries(actual));
  return Object.entries(wanted).every(([key, value]) => within(value, given.get(key)));
}

/** Conditions as one text that is the same for the same requests. AWS tells hosts and paths twice, and in any order. */
export function conditionsText(
  conditions: readonly elbv2.RuleCondition[] | undefined,
  transforms: readonly elbv2.RuleTransform[] | undefined,
): string {
  const texts = (conditions ?? []).map((each) => {
    const config = each.HostHeaderConfig ??
      each.PathPatternConfig ??
      each.HttpHeaderConfig ??
      each.QueryStringConfig ??
      each.HttpRequestMethodConfig ??
      each.SourceIpConfig ?? { Values: each.Values };
    const { Values = [], RegexValues = [] } = config as {
      Values?: readonly (string | elbv2.QueryStringKeyValuePair)[];
      RegexValues?: readonly string[];
    };
    const values = Values.map((value) =>
      typeof value === "string" ? value : `${value.Key ?? ""}=${value.Value ?? ""}`,
    );
    const name = each.HttpHeaderConfig?.HttpHeaderName?.toLowerCase() ?? "";
    return JSON.stringify([each.Field, name, values.toSorted(), RegexValues.toSorted()]);
  });
  const rewrites = (transforms ?? []).map(({ Type, HostHeaderRewriteConfig, UrlRewriteConfig }) =>
    JSON.stringify([Type, HostHeaderRewriteConfig?.Rewrites, UrlRewriteConfig?.Rewrites]),
  );
  return [...texts, ...rewrites].toSorted().join("\n");
}

/** The attributes that differ from what is there. */
export function changedAttributes(
  wanted: readonly (readonly [string, string])[],
  actual: ReadonlyMap<string, string>,
): readonly (readonly [string, string])[] {
  return wanted.filter(([key, value]) => actual.get(key) !== value);
}
