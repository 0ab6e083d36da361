import { CURRENT_KUBERNETES, OLDEST_KUBERNETES } from "../../testbed/index.ts";
import { CHANGES } from "./changes.ts";
import type { Change } from "./changes.ts";
import { CHANGED_SINCE_OLDEST } from "./changed-since-oldest.ts";

/** A difference that is wanted or accepted. Each stands in docs/fidelity.md too, and must go from here when it is gone. */
export interface KnownDifference {
  /** Name of the case with its topic: `creating: another kind`. */
  readonly case: string;
  /** Where the answers differ: matched against `step 2 body.metadata.name`. */
  readonly at: RegExp;
  readonly reason: string;
  /** Whether it need not be there. Default: false. */
  readonly mayBeGone?: boolean;
}

const GO_TYPES = "names of Go's types are left out";
const GO_WORDS = "words of a Go library";
const PATCH_ERROR = "quotes the object that came out, not the patch as Go prints it";
const TWICE = "the real server lists the same cause twice";
const PROTECTION = "no storage protection: nothing mounts volumes";
const NOT_SERVED = "a resource that is not served";

const MESSAGES = /body\.(?:message|details\.causes\.\d+\.message)$/;
const ANYWHERE = /./;

const KNOWN: readonly KnownDifference[] = [
  { case: "creating: another kind", at: MESSAGES, reason: GO_TYPES },
  { case: "replacing: with another kind", at: MESSAGES, reason: GO_TYPES },
  { case: "reading: an object as a list of metadata", at: MESSAGES, reason: GO_TYPES },
  { case: "patching: merge: another kind", at: MESSAGES, reason: GO_TYPES },
  { case: "applying: YAML that does not parse", at: MESSAGES, reason: GO_WORDS },
  { case: "built in kinds: secret: docker", at: MESSAGES, reason: GO_WORDS },
  { case: "admission webhooks: mutating: has a patch that fails", at: MESSAGES, reason: GO_WORDS },
  { case: "watching: YAML", at: /body/, reason: "long lines of YAML are not folded" },
  { case: "patching: strategic: a string where a list belongs", at: MESSAGES, reason: PATCH_ERROR },
  { case: "patching: strategic: a list where an object belongs", at: MESSAGES, reason: PATCH_ERROR },
  { case: "patching: strategic: unknown fields are refused when asked", at: MESSAGES, reason: PATCH_ERROR },
  { case: "pods: what cannot be changed", at: MESSAGES, reason: "no diff of Go structs in the message" },
  { case: "patching: merge: a result that is not valid", at: /causes\.3$/, reason: TWICE },
  { case: "built in kinds: claim: defaults", at: /metadata\.finalizers$/, reason: PROTECTION },
  { case: "tables: persistentvolumeclaims", at: /metadata\.finalizers$/, reason: PROTECTION },
  { case: "tables: persistentvolumes", at: /metadata\.finalizers$/, reason: PROTECTION },
  { case: "discovery: /api/v1/", at: /resources\./, reason: NOT_SERVED },
  { case: "discovery: /apis/networking.k8s.io/v1", at: /resources\./, reason: NOT_SERVED },
  { case: "discovery: /apis/admissionregistration.k8s.io/v1", at: /resources\.mutatingadm/, reason: NOT_SERVED },
  { case: "discovery: /apis/storage.k8s.io/v1", at: /resources\./, reason: NOT_SERVED },
  { case: "discovery: the issuer of tokens", at: ANYWHERE, reason: "keys are P-256; nothing is cached" },
  { case: "reading: a method that is none", at: ANYWHERE, reason: "refused by Node's HTTP parser" },
  { case: "reading: the Service of the API", at: ANYWHERE, reason: "made by another hand, on another port" },
  { case: "built in kinds: quota: is counted", at: /managedFields/, reason: "usage is counted from the store" },
  {
    case: "tables: validatingadmissionpolicies",
    at: /managedFields/,
    reason: "status is written by update, not by apply",
  },
  {
    case: "custom resource definitions: a version that is not valid",
    at: ANYWHERE,
    reason: "spec.version is of v1beta1",
  },
];

/** What is known of one version of Kubernetes. */
export interface Known {
  readonly listed: readonly KnownDifference[];
  readonly changes: readonly Change[];
}

/** What is known to differ from a version of Kubernetes: the lists above, and for an older one what changed since. */
export function knownOf(version: string): Known {
  if (version === CURRENT_KUBERNETES) return { listed: KNOWN, changes: [] };
  const listed = [
    ...KNOWN.map((each) => ({ ...each, mayBeGone: true })),
    ...CHANGED_SINCE_OLDEST.map((each) => ({ ...each, mayBeGone: version !== OLDEST_KUBERNETES })),
  ];
  return { listed, changes: CHANGES };
}
