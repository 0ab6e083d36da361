import { BlockList, isIPv4, isIPv6 } from "node:net";
import type { RuleCondition } from "@gatewright/aws-wire/types/elbv2";
import type { Quotas } from "./quotas.ts";
import { invalid } from "./refusals.ts";

const FIELDS = ["http-header", "http-request-method", "host-header", "path-pattern", "query-string", "source-ip"];
const ONCE = ["http-request-method", "host-header", "path-pattern", "source-ip"];

const HOST = /^[A-Za-z0-9.*?_-]{1,128}$/;
const PATH = /^[A-Za-z0-9_.$/~"'@:+&*?%=;,!()#[\]-]{1,128}$/;
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,40}$/;
const METHOD = /^[A-Z_-]{1,40}$/;

/** Conditions as they are kept: checked, and with both ways of writing hosts and paths, as AWS tells them. */
export function checkedConditions(conditions: readonly RuleCondition[], quotas: Quotas): readonly RuleCondition[] {
  if (conditions.length === 0) throw invalid("A condition must be specified");
  for (const field of ONCE) {
    if (conditions.filter((condition) => condition.Field === field).length > 1) {
      throw invalid(`Conditions contain duplicate Field '${field}'`);
    }
  }
  const checked = conditions.map(checkedCondition);
  const values = checked.flatMap(valuesOf);
  const most = quotas.of("condition-values-per-alb-rule");
  if (values.length > most) throw invalid(`A rule can only have '${most}' condition values`);
  const wild = checked
    .filter((condition) => condition.Field !== "source-ip" && condition.Field !== "http-request-method")
    .flatMap(valuesOf)
    .join("")
    .replaceAll(/\\[*?]/g, "")
    .replaceAll(/[^*?]/g, "").length;
  const mostWild = quotas.of("condition-wildcards-per-alb-rule");
  if (wild > mostWild) throw invalid(`A rule can only have '${mostWild}' condition wildcards`);
  return checked;
}

function checkedCondition(condition: RuleCondition): RuleCondition {
  const { Field: field = "" } = condition;
  if (!FIELDS.includes(field)) throw invalid(`Condition field '${field}' must be one of '[${FIELDS.join(", ")}]'`);
  const regexes = [condition, condition.HostHeaderConfig, condition.PathPatternConfig, condition.HttpHeaderConfig];
  if (regexes.some((part) => (part?.RegexValues ?? []).length > 0)) {
    throw invalid("Regular expressions in conditions are not supported here");
  }
  switch (field) {
    case "host-header": {
      const values = given(condition.HostHeaderConfig?.Values ?? condition.Values, field);
      for (const value of values) if (!HOST.test(value)) throw invalid(`The host header '${value}' is not valid`);
      return { Field: field, Values: values, HostHeaderConfig: { Values: values } };
    }
    case "path-pattern": {
      const values = given(condition.PathPatternConfig?.Values ?? condition.Values, field);
      for (const value of values) if (!PATH.test(value)) throw invalid(`The path pattern '${value}' is not valid`);
      return { Field: field, Values: values, PathPatternConfig: { Values: values } };
    }
    case "http-header": {
      const name = condition.HttpHeaderConfig?.HttpHeaderName ?? "";
      if (!HEADER_NAME.test(name)) throw invalid(`The HTTP header name '${name}' is not valid`);
      if (name.toLowerCase() === "host") throw invalid("The host header needs a condition with field 'host-header'");
      const values = short(given(condition.HttpHeaderConfig?.Values, field));
      return { Field: field, HttpHeaderConfig: { HttpHeaderName: name, Values: values } };
    }
    case "http-request-method": {
      const values = given(condition.HttpRequestMethodConfig?.Values, field);
      for (const value of values) if (!METHOD.test(value)) throw invalid(`The HTTP method '${value}' is not valid`);
      return { Field: field, HttpRequestMethodConfig: { Values: values } };
    }
    case "query-string": {
      const values = given(condition.QueryStringConfig?.Values, field);
      short(values.flatMap(({ Key, Value }) => [...(Key === undefined ? [] : [Key]), Value ?? ""]));
      return {
        Field: field,
        QueryStringConfig: {
          Values: values.map(({ Key, Value }) => ({ ...(Key !== undefined && { Key }), Value: Value ?? "" })),
        },
      };
    }
    default: {
      const values = given(condition.SourceIpConfig?.Values, field);
      for (const value of values) if (!isCidr(value)) throw invalid(`The source IP '${value}' is not a valid CIDR`);
      return { Field: field, SourceIpConfig: { Values: values } };
    }
  }
}

function given<T>(values: readonly T[] | undefined, field: string): readonly T[] {
  if (values === undefined || values.length === 0) throw invalid(`A condition with field '${field}' must have values`);
  return values;
}

function short(values: readonly string[]): readonly string[] {
  for (const value of values) {
    if (value.length < 1 || value.length > 128) throw invalid("Condition values must have 1 to 128 characters");
  }
  return values;
}

function isCidr(value: string): boolean {
  const [address = "", bits = "", more] = value.split("/");
  if (more !== undefined || !/^\d{1,3}$/.test(bits)) return false;
  const family = isIPv4(address) ? "ipv4" : isIPv6(address) ? "ipv6" : undefined;
  if (family === undefined || Number(bits) > (family === "ipv4" ? 32 : 128)) return false;
  new BlockList().addSubnet(address, Number(bits), family);
  return true;
}

function valuesOf(condition: RuleCondition): readonly string[] {
  return (
    condition.Values ??
    condition.HttpHeaderConfig?.Values ??
    condition.HttpRequestMethodConfig?.Values ??
    condition.SourceIpConfig?.Values ??
    condition.QueryStringConfig?.Values?.map(({ Key = "", Value = "" }) => `${Key}=${Value}`) ??
    []
  );
}
