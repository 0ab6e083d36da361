import type { FieldMatch } from "../../table/match-row.ts";
import type { RowDraft } from "./row-draft.ts";
import { textOf } from "./text-of.ts";
import type { StringMatchSpec } from "./text-of.ts";

/** A matcher of a header, of metadata or of a query parameter. */
export interface FieldMatchSpec extends StringMatchSpec {
  readonly name: string;
  readonly present?: boolean;
  readonly absent?: boolean;
}

/** Fields that end at the gateway before routes are looked for, and `host`, which has its own place. */
const NOT_SEEN = new Set([
  "connection",
  "content-length",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Matchers of headers. Exact names of a host are left to the row's host. */
export function headerMatches(
  draft: RowDraft,
  field: string,
  specs: readonly FieldMatchSpec[] | undefined,
): FieldMatch[] {
  const matches: FieldMatch[] = [];
  for (const [at, spec] of (specs ?? []).entries()) {
    const where = `${field}[${at}]`;
    const name = spec.name.toLowerCase();
    if (NOT_SEEN.has(name)) draft.warn(`${where}.name`, "is about the connection and is not seen by routes");
    if (!isHostName(spec)) matches.push(...fieldMatches(draft, where, spec, isHost(name) ? "host" : name));
  }
  return matches;
}

/** The host that matchers of headers name exactly, if one does. Ports do not count. */
export function namedHost(specs: readonly FieldMatchSpec[] | undefined): string | undefined {
  const exact = specs?.find(isHostName)?.exact;
  return exact === undefined ? undefined : hostText(exact);
}

/** A host as people write it in a matcher: in any case, perhaps with a port. */
export function hostText(text: string): string {
  return text.toLowerCase().replace(/:\d+$/, "");
}

/** Matchers of query parameters: their names are as they are. */
export function queryMatches(
  draft: RowDraft,
  field: string,
  specs: readonly FieldMatchSpec[] | undefined,
): FieldMatch[] {
  return (specs ?? []).flatMap((spec, at) => fieldMatches(draft, `${field}[${at}]`, spec, spec.name));
}

function isHost(name: string): boolean {
  return name === "host" || name === ":authority";
}

function isHostName(spec: FieldMatchSpec): boolean {
  return isHost(spec.name.toLowerCase()) && textOf(spec)?.type === "exact" && spec.absent !== true;
}

function fieldMatches(draft: RowDraft, field: string, spec: FieldMatchSpec, name: string): FieldMatch[] {
  const test = textOf(spec);
  if (test?.type === "regex" && !draft.checkPattern(`${field}.regex`, test.value)) return [];
  if (spec.absent === true) {
    if (test !== undefined) draft.warn(field, "never matches: it has to be absent and to have a value");
    return [{ name, test: { type: "absent" } }, ...(test === undefined ? [] : [{ name, test }])];
  }
  if (test !== undefined) return [{ name, test }];
  if (spec.present === false) {
    draft.warn(field, "says nothing: present is false; write absent: true for what must not be there");
    return [];
  }
  return [{ name, test: { type: "present" } }];
}
