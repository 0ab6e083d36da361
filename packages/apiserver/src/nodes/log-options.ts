import { badRequest, forbiddenField, invalid, invalidObject, parseTime, quote } from "@gatewright/kube";
import type { FieldError } from "@gatewright/kube";
import type { LogOptions } from "./node-access.ts";

const KIND = { group: "", kind: "PodLogOptions" };
const NOT_POSITIVE = "must be greater than 0";

/** Reads what part of a log a query asks for. Throws 400 for what is no number or time, 422 for one that means nothing. */
export function parseLogOptions(query: URLSearchParams, pod: string): LogOptions {
  const tailLines = integer(query, "tailLines");
  const limitBytes = integer(query, "limitBytes");
  const sinceSeconds = integer(query, "sinceSeconds");
  const sinceTime = time(query, "sinceTime");
  const errors: FieldError[] = [];
  if (tailLines !== undefined && tailLines < 0) {
    errors.push(invalid("tailLines", tailLines, "must be greater than or equal to 0"));
  }
  if (limitBytes !== undefined && limitBytes < 1) errors.push(invalid("limitBytes", limitBytes, NOT_POSITIVE));
  if (sinceSeconds !== undefined && sinceTime !== undefined) {
    errors.push(forbiddenField("[]", "at most one of `sinceTime` or `sinceSeconds` may be specified"));
  } else if (sinceSeconds !== undefined && sinceSeconds < 1) {
    errors.push(invalid("sinceSeconds", sinceSeconds, NOT_POSITIVE));
  }
  if (query.has("stream")) errors.push(forbiddenField("stream", "may not be specified"));
  if (errors.length > 0) throw invalidObject(KIND, pod, errors);
  return {
    follow: flag(query, "follow"),
    previous: flag(query, "previous"),
    timestamps: flag(query, "timestamps"),
    ...(tailLines !== undefined && { tailLines }),
    ...(limitBytes !== undefined && { limitBytes }),
    ...(sinceSeconds !== undefined && { sinceSeconds }),
    ...(sinceTime !== undefined && { sinceTime }),
  };
}

/** As Kubernetes reads flags in queries: whatever does not say no says yes. */
function flag(query: URLSearchParams, name: string): boolean {
  const value = query.get(name);
  return value !== null && value !== "" && value !== "0" && value.toLowerCase() !== "false";
}

function integer(query: URLSearchParams, name: string): number | undefined {
  const value = query.get(name);
  if (value === null) return undefined;
  if (!/^[+-]?[0-9]+$/.test(value)) throw badRequest(`strconv.ParseInt: parsing ${quote(value)}: invalid syntax`);
  if (!Number.isSafeInteger(Number(value))) {
    throw badRequest(`strconv.ParseInt: parsing ${quote(value)}: value out of range`);
  }
  return Number(value);
}

function time(query: URLSearchParams, name: string): number | undefined {
  const value = query.get(name) ?? "";
  if (value === "") return undefined;
  const parsed = parseTime(value);
  if (parsed !== undefined) return parsed;
  throw badRequest(
    `parsing time ${quote(value)} as "2006-01-02T15:04:05Z07:00": cannot parse ${quote(value)} as "2006"`,
  );
}
