import type { KnownDifference } from "./known.ts";

const CODE = "a mistake of the client is 400, not 500";
const WORDS = "says more, or in other words";
const COLUMNS = "columns changed";
const TABLES = "watches with initial events can be Tables";

const MESSAGES = /body\.(?:message|details\.causes\.\d+\.message)$/;
const ANYWHERE = /./;

/** Cases in which the current Kubernetes, and with it the embedded server, does otherwise than the oldest supported one. */
export const CHANGED_SINCE_OLDEST: readonly KnownDifference[] = [
  { case: "access: impersonation by alice", at: ANYWHERE, reason: "impersonation has verbs of its own" },
  { case: "access: impersonation of a group by alice", at: ANYWHERE, reason: "impersonation has verbs of its own" },
  { case: "access: impersonation of a group without a user", at: ANYWHERE, reason: CODE },
  { case: "deleting: with options of another kind", at: ANYWHERE, reason: CODE },
  { case: "deleting: with options that are not JSON", at: ANYWHERE, reason: CODE },
  { case: "deleting: with a list as options", at: ANYWHERE, reason: CODE },
  { case: "deleting: with a grace period that is a string", at: ANYWHERE, reason: CODE },
  { case: "listing: a resourceVersion that is none", at: /^step 4 /, reason: CODE },
  { case: "access: a role for a subresource", at: /body\.(?:message|details\.kind)$/, reason: WORDS },
  { case: "admission policies: policy: a variable whose name is not valid", at: MESSAGES, reason: WORDS },
  { case: "admission webhooks: mutating: has a patch that is none", at: MESSAGES, reason: WORDS },
  { case: "applying: a widget: a key is missing", at: MESSAGES, reason: WORDS },
  { case: "built in kinds: service: an address outside of the range", at: MESSAGES, reason: WORDS },
  { case: "creating: labels and annotations that are not valid", at: MESSAGES, reason: WORDS },
  { case: "custom resource definitions: without a schema", at: MESSAGES, reason: WORDS },
  { case: "custom resource definitions: a stored version cannot be removed", at: MESSAGES, reason: WORDS },
  { case: "custom schemas: count 2.5", at: /causes\.[12]/, reason: "tells wrong numbers by type too" },
  { case: 'custom schemas: embedded {"more":1}', at: MESSAGES, reason: WORDS },
  { case: "custom schemas: status is changed apart", at: /managedFields/, reason: "status writes own no labels" },
  { case: "built in kinds: service: a session", at: /headers\.warning$/, reason: "warns" },
  { case: "tables: endpoints", at: /headers\.warning$/, reason: "warns" },
  { case: "built in kinds: service: a name that starts with a digit", at: ANYWHERE, reason: "names may start so" },
  { case: "built in kinds: autoscaler: not valid", at: /causes\.3$/, reason: "checks the API group of the target" },
  { case: "custom schemas: big 2147483648", at: ANYWHERE, reason: "checks that int32 holds the number" },
  { case: "replacing: an object that is not there, with a uid", at: ANYWHERE, reason: "not found, not a conflict" },
  { case: "semantic versions: a version", at: ANYWHERE, reason: "rules know semantic versions" },
  { case: "semantic versions: an old version", at: ANYWHERE, reason: "rules know semantic versions" },
  { case: "semantic versions: no version", at: ANYWHERE, reason: "rules know semantic versions" },
  { case: "tables: serviceaccounts", at: /columnDefinitions|cells/, reason: COLUMNS },
  { case: "tables: resourcequotas", at: /columnDefinitions|cells/, reason: COLUMNS },
  { case: "watching: as a Table with initial events", at: ANYWHERE, reason: TABLES },
  { case: "watching: widgets as a Table", at: ANYWHERE, reason: TABLES },
  { case: "watching: a Table of no cronjobs ends with a row", at: ANYWHERE, reason: TABLES },
  { case: "watching: a Table of no definitions ends with a row", at: ANYWHERE, reason: TABLES },
];
