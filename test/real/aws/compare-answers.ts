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
  // Before moments: it may look like one.
  [/\btour-[0-9a-z]+\.(eu-west-1\.elb\.)/g, "tour-<number>.$1"],
  [/\b1[789]\d{8}(?:\.\d+)?\b/g, "<moment>"],
  [/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, "<uuid>"],
  [/\/change\/\w+/g, "/change/<id>"],
  [/(\/hostedzone\/|ID: )\w+/g, "$1<id>"],
  [/ns-\d+\.awsdns-\d+\.(?:com|net|org|co\.uk)/g, "<name server>"],
  [/^"_\w{10,}\./, '"_<hash>.'],
  [/\.\w{10}\.acm-validations/g, ".<hash>.acm-validations"],
  [/\S*gatewright-tour-\w+/g, "<folder>"],
  [/\b(vpc-cidr-assoc|[a-z]{1,6})-[0-9a-f]{8}(?:[0-9a-f]{9})?\b/g, "$1-<id>"],
  [
    /(loadbalancer\/app|listener\/app|listener-rule\/app|targetgroup)((?:\/[a-z][\w-]*)?)((?:\/[0-9a-f]{16})+)/g,
    "$1$2/<id>",
  ],
  [/\btour\.\w{10,}\.(eu-west-1\.rds\.)/g, "tour.<hash>.$1"],
  [/\bdb-[0-9A-Z]{26}\b/g, "db-<id>"],
  [/(:secret:tour\/\w+)-\w{6}\b/g, "$1-<end>"],
  [/\bAROA[A-Z2-7]{17}\b/g, "AROA<id>"],
  [/\brds:tour-[-\d]+/g, "rds:tour-<moment>"],
  [/\b[0-9a-f]{2}(?::[0-9a-f]{2}){5}\b/g, "<mac>"],
  [/\b10\.9\.1\.\d+\b(?!\/)/g, "10.9.1.<n>"],
  [/\b10-9-1-\d+\b/g, "10-9-1-<n>"],
];

/** Members whose values are random altogether. */
const RANDOM = /\.(?:ReceiptHandle|VersionId|ResourceId|Id|NextToken)$/;

/** Every place at which two tours of the same service saw different things. */
export function differences(
  tour: string,
  ours: Readonly<Record<string, Answer>>,
  theirs: Readonly<Record<string, Answer>>,
): readonly Difference[] {
  return Object.keys(ours).flatMap((name) => {
    const [one, other] = [outcome(ours[name]), outcome(theirs[name])];
    if (one !== other) return [{ at: `${tour}.${name}`, ours: one, theirs: other }];
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

/** Attributes, and all else that goes by a key, are compared by it: their order says nothing. */
function nameOf(item: unknown): string | undefined {
  const key = typeof item === "object" && item !== null && "Key" in item && "Value" in item ? item.Key : undefined;
  return typeof key === "string" ? key : undefined;
}

function leaves(value: unknown, path = "", found = new Map<string, string>()): Map<string, string> {
  if (typeof value === "object" && value !== null && Object.keys(value).length > 0) {
    for (const [key, each] of Object.entries(value)) {
      const name = nameOf(each) ?? key;
      leaves(each, path === "" ? name : `${path}.${name}`, found);
    }
  } else if (RANDOM.test(path)) found.set(path, "<random>");
  else
    found.set(
      path,
      SAME.reduce((text, [what, by]) => text.replace(what, by), JSON.stringify(value) ?? "absent"),
    );
  return found;
}
