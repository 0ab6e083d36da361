import type { GRPCRouteSpec } from "@gatewright/resources";
import type { FieldMatch, PathMatch } from "../../table/match-row.ts";
import { patternElement } from "../../table/path-elements.ts";
import type { CompiledRoute } from "../compiled-route.ts";
import { headerMatches, hostText } from "./field-matches.ts";
import { RowDraft } from "./row-draft.ts";
import type { RouteRows, RowSubject } from "./row-subject.ts";
import { textOf } from "./text-of.ts";
import type { StringMatchSpec } from "./text-of.ts";
import { literalElement, quoted } from "./uri-path.ts";

/**
 * The ways to a GRPCRoute, only for calls of gRPC. Service and method are elements of the path, so the more is said about the service,
 * and then about the method, the earlier a row is asked.
 */
export function grpcRouteRows(
  spec: Pick<GRPCRouteSpec, "match" | "hosts">,
  route: CompiledRoute,
  subject: RowSubject,
): RouteRows {
  const draft = new RowDraft(route, subject, spec.hosts);
  const entries = spec.match === undefined || spec.match.length === 0 ? [{}] : spec.match;
  for (const [place, entry] of entries.entries()) {
    const field = `spec.match[${place}]`;
    const path = callPath(draft, field, entry.service, entry.method);
    const authority = textOf(entry.authority);
    const headers: FieldMatch[] = headerMatches(draft, `${field}.metadata`, entry.metadata);
    if (authority?.type === "regex") draft.checkPattern(`${field}.authority.regex`, authority.value);
    if (authority !== undefined && authority.type !== "exact") headers.push({ name: "host", test: authority });
    for (const name of entry.withoutHeaders ?? []) headers.push({ name: name.toLowerCase(), test: { type: "absent" } });
    const host = authority?.type === "exact" ? hostText(authority.value) : undefined;
    draft.add(field, place, host, { path, methods: undefined, headers, query: [], grpc: true });
  }
  return draft.done();
}

function callPath(
  draft: RowDraft,
  field: string,
  service: StringMatchSpec | undefined,
  method: StringMatchSpec | undefined,
): PathMatch {
  const first = element(draft, `${field}.service`, service);
  const second = element(draft, `${field}.method`, method);
  const value = `/${first.text}/${second.text}`;
  if (!first.literal || !second.literal) return { type: "template", value, prefix: false };
  return { type: "exact", value: `/${service?.exact}/${method?.exact}` };
}

function element(
  draft: RowDraft,
  field: string,
  spec: StringMatchSpec | undefined,
): { readonly text: string; readonly literal: boolean } {
  const test = textOf(spec);
  if (test === undefined || test.value === "*") return { text: "{*}", literal: false };
  if (test.value.includes("/") && test.type !== "regex")
    draft.fail(`${field}.${test.type}`, "may not have a slash in it");
  if (test.type === "exact") return { text: literalElement(test.value), literal: true };
  if (test.type === "prefix") return { text: patternElement(`${quoted(test.value)}.*`), literal: false };
  if (!draft.checkPattern(`${field}.regex`, test.value)) return { text: "{*}", literal: false };
  return { text: patternElement(test.value), literal: false };
}
