import type { Difference } from "./difference.ts";

/** Something that Kubernetes came to do otherwise, wherever it shows. */
export interface Change {
  readonly what: string;
  /** Whether a difference between an older server and the embedded one is this change. */
  explains(difference: Difference): boolean;
}

const NULL_TIME: Change = {
  what: "unset creation times are left out, not null",
  explains: ({ at, real, embedded }) =>
    at.endsWith("creationTimestamp") && embedded === undefined && (real === null || at.includes("f:creationTimestamp")),
};

const JSON_VALUES: Change = {
  what: "refusals quote values as JSON, not as Go",
  explains: ({ at, real, embedded }) =>
    isMessage(at) && bothTexts(real, embedded, (theirs, ours) => quotedAsGo(theirs, ours)),
};

const RULE_VALUES: Change = {
  what: "refusals by rules do not name the type of the value",
  explains: ({ at, real, embedded }) =>
    isMessage(at) &&
    bothTexts(real, embedded, (theirs, ours) => theirs.replace(/^(Invalid value: )"\w+": /, "$1") === ours),
};

/** Tells all causes in one text: each of them is compared by itself. */
const SUMMARY: Change = {
  what: "the summary of causes that changed",
  explains: ({ at, real, embedded }) =>
    at === "body.message" &&
    bothTexts(real, embedded, (theirs, ours) => {
      const [head] = / is invalid: /.exec(theirs) ?? [];
      return head !== undefined && ours.startsWith(theirs.slice(0, theirs.indexOf(head) + head.length));
    }),
};

const POD_GENERATION: Change = {
  what: "pods have a generation",
  explains: ({ at, real, embedded }) =>
    at.endsWith("metadata.generation") && real === undefined && typeof embedded === "number",
};

const BLUEPRINT: Change = {
  what: "bookmarks hold no blueprint of a list",
  explains: ({ at, embedded }) =>
    at.endsWith("annotations.kubernetes.io/initial-events-list-blueprint") && embedded === undefined,
};

const SCHEME: Change = {
  what: "another line of Go is named",
  explains: ({ at, real, embedded }) => {
    const anyLine = (text: string): string => text.replace(/scheme\.go:\d+/g, "scheme.go");
    return at.endsWith("message") && bothTexts(real, embedded, (theirs, ours) => anyLine(theirs) === anyLine(ours));
  },
};

const MUST: Change = {
  what: "messages about fields begin with what must be",
  explains: ({ at, real, embedded }) =>
    isMessage(at) &&
    bothTexts(
      real,
      embedded,
      (theirs, ours) => theirs.replace(/: (?:kind|name|uid|message|fieldPath) (?=must )/, ": ") === ours,
    ),
};

const BYTES: Change = {
  what: "lengths are told in bytes",
  explains: ({ at, real, embedded }) =>
    isMessage(at) &&
    bothTexts(real, embedded, (theirs, ours) => theirs.replace(/(more than \d+) characters$/, "$1 bytes") === ours),
};

/** What changed between the oldest supported Kubernetes and the current one. */
export const CHANGES: readonly Change[] = [
  NULL_TIME,
  JSON_VALUES,
  RULE_VALUES,
  SUMMARY,
  POD_GENERATION,
  BLUEPRINT,
  SCHEME,
  MUST,
  BYTES,
];

function isMessage(at: string): boolean {
  return /^body\.details\.causes\.\d+\.message$/.test(at);
}

function bothTexts(a: unknown, b: unknown, check: (a: string, b: string) => boolean): boolean {
  return typeof a === "string" && typeof b === "string" && check(a, b);
}

const VALUE = /^(?:Invalid|Duplicate|Unsupported) value: /;

/** Whether both say the same of a value, which one shows as Go prints it and the other as JSON. */
function quotedAsGo(theirs: string, ours: string): boolean {
  const head = VALUE.exec(ours)?.[0];
  if (head === undefined || !theirs.startsWith(head)) return false;
  const rest = ours.slice(head.length);
  for (let end = rest.length; end > 0; end = rest.lastIndexOf(": ", end - 1)) {
    if (isJson(rest.slice(0, end)) && theirs.endsWith(rest.slice(end))) return true;
  }
  return false;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
