import { StatusError, badRequest, forbiddenField, invalidObject, notSupported, quote } from "@gatewright/kube";
import type { FieldError } from "@gatewright/kube";

/** The query of a list or watch, read and checked. */
export interface ListOptions {
  readonly labelSelector: string;
  readonly fieldSelector: string;
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  readonly limit: number;
  readonly continueToken: string;
  readonly allowWatchBookmarks: boolean;
  readonly sendInitialEvents: boolean | undefined;
  readonly timeoutSeconds: number | undefined;
}

/** A number of the query. Throws 400 for text that is none. */
export function parseInteger(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === "") return undefined;
  if (!/^[+-]?[0-9]{1,18}$/.test(text)) {
    throw badRequest(`strconv.ParseInt: parsing ${quote(text)}: invalid syntax`);
  }
  return Number(text);
}

/** Query booleans as the real server reads them: present and not false is true. */
export function parseFlag(query: URLSearchParams, name: string): boolean | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  return text.toLowerCase() !== "false" && text !== "0";
}

const NOT_A_VERSION = (text: string): string =>
  `resourceVersion: Invalid value: ${quote(text)}: strconv.ParseUint: parsing ${quote(text)}: invalid syntax`;

/** The resourceVersion of a list as a number. Throws 400 when it is not one. */
export function parseResourceVersion(text: string): number {
  if (!/^[0-9]{1,20}$/.test(text)) throw badRequest(`invalid resource version: ${NOT_A_VERSION(text)}`);
  return Number(text);
}

/** The same for a get or a watch, which the real server words in another way. */
export function parseObjectVersion(text: string): number {
  if (!/^[0-9]{1,20}$/.test(text)) throw new StatusError({ code: 500, message: NOT_A_VERSION(text) });
  return Number(text);
}

/** Reads list options without judging them. */
export function parseListOptions(query: URLSearchParams): ListOptions {
  return {
    labelSelector: query.get("labelSelector") ?? "",
    fieldSelector: query.get("fieldSelector") ?? "",
    resourceVersion: query.get("resourceVersion") ?? "",
    resourceVersionMatch: query.get("resourceVersionMatch") ?? "",
    limit: parseInteger(query, "limit") ?? 0,
    continueToken: query.get("continue") ?? "",
    allowWatchBookmarks: parseFlag(query, "allowWatchBookmarks") ?? false,
    sendInitialEvents: parseFlag(query, "sendInitialEvents"),
    timeoutSeconds: parseInteger(query, "timeoutSeconds"),
  };
}

const MATCHES = ["Exact", "NotOlderThan"];

function listErrors(o: ListOptions): FieldError[] {
  const errors: FieldError[] = [];
  const match = o.resourceVersionMatch;
  if (match !== "") {
    if (o.resourceVersion === "") {
      errors.push(
        forbiddenField("resourceVersionMatch", "resourceVersionMatch is forbidden unless resourceVersion is provided"),
      );
    }
    if (o.continueToken !== "") {
      errors.push(
        forbiddenField("resourceVersionMatch", "resourceVersionMatch is forbidden when continue is provided"),
      );
    }
    if (!MATCHES.includes(match)) errors.push(notSupported("resourceVersionMatch", match, [...MATCHES, ""]));
    if (match === "Exact" && o.resourceVersion === "0") {
      errors.push(
        forbiddenField("resourceVersionMatch", 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'),
      );
    }
  }
  if (o.sendInitialEvents !== undefined) {
    errors.push(forbiddenField("sendInitialEvents", "sendInitialEvents is forbidden for list"));
  }
  return errors;
}

function watchErrors(o: ListOptions): FieldError[] {
  const errors: FieldError[] = [];
  const match = o.resourceVersionMatch;
  if (match !== "" && o.sendInitialEvents === undefined) {
    errors.push(
      forbiddenField(
        "resourceVersionMatch",
        "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided",
      ),
    );
  }
  if (o.sendInitialEvents !== undefined) {
    if (match !== "NotOlderThan") {
      errors.push(
        forbiddenField(
          "resourceVersionMatch",
          "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan",
        ),
      );
      if (match !== "") errors.push(notSupported("resourceVersionMatch", match, ["NotOlderThan"]));
    }
    if (o.continueToken !== "") {
      errors.push(
        forbiddenField("resourceVersionMatch", "resourceVersionMatch is forbidden when continue is provided"),
      );
    }
  }
  return errors;
}

/** Throws the 422 (or 400) for options that contradict each other. */
export function validateListOptions(o: ListOptions, watch: boolean): void {
  const errors = watch ? watchErrors(o) : listErrors(o);
  if (errors.length > 0) throw invalidObject({ group: "meta.k8s.io", kind: "ListOptions" }, "", errors);
}
