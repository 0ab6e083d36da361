import { AwsCallError } from "@gatewright/aws";
import { iamActions } from "../iam/iam-actions.ts";
import { REASONS } from "../reasons.ts";
import type { Reason } from "../reasons.ts";
import { isAtWork } from "./at-work.ts";

/** What an error of AWS means for an object. */
export interface ErrorClass {
  readonly reason: Reason;
  /** Missing: nothing is said of whether it can be used. */
  readonly ready?: "False";
  /** AWS's words, its code and the request id, and what to do. */
  readonly message: string;
  /** When it is tried again though nothing changed. */
  readonly afterMs: number;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** How long each class waits. A change of the spec, of a reference or of the provider is looked at at once. */
const PATIENCE = {
  Busy: 5 * SECOND,
  Throttled: 30 * SECOND,
  Transient: 30 * SECOND,
  Denied: 5 * MINUTE,
  DependencyMissing: MINUTE,
  QuotaExceeded: 15 * MINUTE,
  Invalid: 30 * MINUTE,
  NameConflict: 15 * MINUTE,
  Unknown: 15 * SECOND,
} as const;

type ClassName = keyof typeof PATIENCE;

interface Rule {
  readonly name: ClassName;
  readonly when: (error: AwsCallError) => boolean;
}

const code =
  (pattern: RegExp) =>
  (error: AwsCallError): boolean =>
    pattern.test(error.code);
const said =
  (codes: RegExp, words: RegExp) =>
  (error: AwsCallError): boolean =>
    codes.test(error.code) && words.test(error.said);

/** Credentials that AWS does not take, for whatever call. */
const NOT_KNOWN =
  /^(?:AuthFailure|ExpiredToken(?:Exception)?|IncompleteSignature(?:Exception)?|InvalidAccessKeyId|InvalidClientTokenId|InvalidIdentityToken|InvalidSignatureException|InvalidToken|OptInRequired|RegionDisabledException|SignatureDoesNotMatch|UnrecognizedClientException)$/;
const INVALID_VALUE =
  /^(?:Invalid(?:Argument|Attribute|Parameter)(?:Value|Exception)?|ValidationError|ValidationException)$/;

/** The first that holds decides. What no rule knows is what AWS refuses for what it says: the spec has to change. */
const RULES: readonly Rule[] = [
  { name: "Busy", when: isAtWork },
  { name: "Unknown", when: ({ kind }) => kind === "unknown" },
  { name: "Throttled", when: ({ kind }) => kind === "throttled" },
  { name: "Throttled", when: ({ service, code }) => service === "dynamodb" && code === "LimitExceededException" },
  { name: "Denied", when: code(NOT_KNOWN) },
  { name: "Denied", when: code(/^(?:AccessDenied|Unauthorized|Forbidden|AuthorizationError|NotAuthorized)/) },
  { name: "Transient", when: ({ kind }) => kind === "retry" },
  {
    name: "NameConflict",
    when: ({ operation, code }) => operation === "CreateTable" && code === "ResourceInUseException",
  },
  {
    name: "NameConflict",
    when: code(/AlreadyExists|AlreadyOwnedByYou|Duplicate|NameExists|^ResourceExistsException$/),
  },
  { name: "NameConflict", when: said(INVALID_VALUE, /already exists/i) },
  {
    name: "NameConflict",
    when: said(/^InvalidRequestException$/, /already|scheduled for deletion|marked for deletion/i),
  },
  { name: "DependencyMissing", when: ({ kind }) => kind === "absent" },
  {
    name: "DependencyMissing",
    when: code(/^KMSKeyNotAccessible|^KMS(?:\.|$)|^Kms|^InvalidAMIID\.Unavailable$|^KMSInvalidState/),
  },
  {
    name: "DependencyMissing",
    when: said(
      INVALID_VALUE,
      /does not exist|not found|Invalid IAM Instance Profile|cannot be assumed|Invalid principal|Unable to validate the following destination/i,
    ),
  },
  { name: "DependencyMissing", when: said(/^MalformedPolicy/, /(?:invalid|unsupported) principal/i) },
  // What a bucket copies or logs to may be there later, or be fit for it later.
  { name: "DependencyMissing", when: code(/^InvalidTargetBucketForLogging$/) },
  {
    name: "DependencyMissing",
    when: said(/^InvalidRequest$/, /must have versioning enabled|Versioning must be 'Enabled'/i),
  },
  { name: "Invalid", when: code(/^TooManyTags|^TagQuota|^TagLimitExceeded/) },
  {
    name: "QuotaExceeded",
    when: code(
      /Quota(?:Per[A-Za-z]+)?Exceeded|LimitExceeded|^TooMany|^OverLimit$|^Insufficient|^MaxSpotInstanceCountExceeded/,
    ),
  },
  {
    name: "Transient",
    when: code(
      /^(?:DeleteConflict|DependencyViolation|QueueDeletedRecently|AWS\.SimpleQueueService\.QueueDeletedRecently|PurgeQueueInProgress|ResourceInUseException|InvalidDBInstanceState(?:Fault)?|IncorrectInstanceState|IncorrectState|IncorrectModificationState|InvalidBucketState|[0-9]{3})$/,
    ),
  },
  {
    name: "Transient",
    when: said(/^VolumeModification|^OperationNotPermitted$/, /cooldown|maximum modification rate|once per/i),
  },
];

/** Waits that a service itself names. */
const OWN_PATIENCE: ReadonlyMap<string, number> = new Map([
  ["QueueDeletedRecently", 61 * SECOND],
  ["AWS.SimpleQueueService.QueueDeletedRecently", 61 * SECOND],
  ["OperationAborted", MINUTE],
]);

/** A name that is held by what is going: a secret that is deleted for good is gone within the minute. */
const isGoing = said(/^InvalidRequestException$/, /scheduled for deletion|marked for deletion/i);

/** Says what an error means and when to try again. Nothing is final. What is no error of AWS is thrown on: it is not AWS's. */
export function classOf(error: unknown): ErrorClass {
  if (!(error instanceof AwsCallError)) throw error;
  const name = RULES.find(({ when }) => when(error))?.name ?? "Invalid";
  return {
    reason: REASONS[name],
    ...(name === "Busy" && { ready: "False" }),
    message: messageOf(error, name),
    afterMs: isGoing(error) ? MINUTE : (OWN_PATIENCE.get(error.code) ?? PATIENCE[name]),
  };
}

function messageOf(error: AwsCallError, name: ClassName): string {
  if (name === "Busy") return error.said;
  const words = /[.!?…]$/.test(error.message) ? error.message : `${error.message}.`;
  const request = error.requestId === undefined ? "" : ` Request id ${error.requestId}.`;
  return `${words}${request}${adviceFor(error, name)}`;
}

function adviceFor(error: AwsCallError, name: ClassName): string {
  if (name !== "Denied") return "";
  if (NOT_KNOWN.test(error.code)) return " AWS does not take the credentials of the provider.";
  const [, named] = /not authorized to perform:? ([a-z0-9-]+:[A-Za-z]+)/.exec(error.said) ?? [];
  return ` The provider's identity needs ${named ?? iamActions(error.service, error.operation).join(" and ")}.`;
}
