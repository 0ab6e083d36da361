import type { Answer } from "../../local-aws/tours/aws-session.ts";

/** A place where two clouds answered otherwise. */
export interface Difference {
  /** `sqs.listed ok.QueueUrls.0`; `sqs.listed` alone where one was refused and the other not, or otherwise. */
  readonly at: string;
  readonly ours: string;
  readonly theirs: string;
}

/** What no two clouds share, put into one form: accounts, addresses, moments, ids and all that is random. */
const SAME: readonly (readonly [RegExp, string])[] = [
  [/123456789012/g, "000000000000"],
  [/http:\/\/127\.0\.0\.1:\d+/g, "http://cloud"],
  [/\b\d{4}-\d\d-\d\dT[\d:.]+(?:Z|\+00:00)/g, "<moment>"],
  [/\w{3}, \d\d \w{3} \d{4} [\d:]+ GMT/g, "<moment>"],
  [/\b1[789]\d{8}(?:\.\d+)?\b/g, "<moment>"],
  [/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, "<uuid>"],
  [/\/change\/\w+/g, "/change/<id>"],
  [/(\/hostedzone\/|ID: )\w+/g, "$1<id>"],
  [/ns-\d+\.awsdns-\d+\.(?:com|net|org|co\.uk)/g, "<name server>"],
  [/^"_\w{10,}\./, '"_<hash>.'],
  [/\.\w{10}\.acm-validations/g, ".<hash>.acm-validations"],
  [/\S*gatewright-tour-\w+/g, "<folder>"],
];

/** Members whose values are random altogether. */
const RANDOM = /\.(?:ReceiptHandle|VersionId|ResourceId|Id|NextToken)$/;

/** Every place at which two tours of the same service saw different things; or only where one was refused and the other not. */
export function differences(
  tour: string,
  ours: Readonly<Record<string, Answer>>,
  theirs: Readonly<Record<string, Answer>>,
  depth: "values" | "outcomes",
): readonly Difference[] {
  return Object.keys(ours).flatMap((name) => {
    const [one, other] = [outcome(ours[name]), outcome(theirs[name])];
    if (one !== other) return [{ at: `${tour}.${name}`, ours: one, theirs: other }];
    if (depth === "outcomes") return [];
    const [left, right] = [leaves(ours[name]), leaves(theirs[name])];
    const paths = new Set([...left.keys(), ...right.keys()]);
    return [...paths].flatMap((path) => {
      const [one = "absent", other = "absent"] = [left.get(path), right.get(path)];
      return one === other ? [] : [{ at: `${tour}.${name} ${path}`, ours: one, theirs: other }];
    });
  });
}

function outcome(answer: Answer | undefined): string {
  return answer === undefined ? "absent" : "refused" in answer ? answer.refused : "OK";
}

function leaves(value: unknown, path = "", found = new Map<string, string>()): Map<string, string> {
  if (typeof value === "object" && value !== null && Object.keys(value).length > 0) {
    for (const [key, each] of Object.entries(value)) leaves(each, path === "" ? key : `${path}.${key}`, found);
  } else if (RANDOM.test(path)) found.set(path, "<random>");
  else
    found.set(
      path,
      SAME.reduce((text, [what, by]) => text.replace(what, by), JSON.stringify(value) ?? "absent"),
    );
  return found;
}
