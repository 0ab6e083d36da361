import { createHash } from "node:crypto";
import type { Json } from "@gatewright/kube";
import type { Field } from "../../engine/field.ts";
import type { Given, Reference } from "../../engine/given.ts";
import type { Database } from "./database.ts";
import { SETTINGS } from "./settings.ts";
import type { DatabaseSpec, Setting, SettingRow } from "./settings.ts";

type DatabaseField = Field<DatabaseSpec, Database>;

const SECRET = "masterUserPasswordSecretRef";

/** The password that the spec gives; none where RDS keeps it. */
export function passwordOf(spec: DatabaseSpec, given: Given): string | undefined {
  if (spec.manageMasterUserPassword === true) return undefined;
  return spec.masterUserPasswordSecretRef === undefined ? spec.masterUserPassword : given.value(SECRET);
}

/** What changes when the password does, and tells little of it. */
function passwordVersion(spec: DatabaseSpec, given: Given): string | undefined {
  if (spec.masterUserPasswordSecretRef !== undefined) return given.version(SECRET);
  const { dbInstanceIdentifier: id, masterUserPassword: text } = spec;
  if (text === undefined) return undefined;
  return createHash("sha256")
    .update(JSON.stringify([id, text]))
    .digest("hex")
    .slice(0, 8);
}

const password: DatabaseField = {
  path: "masterUserPassword",
  change: "in-place",
  want: passwordOf,
  version: passwordVersion,
  secret: true,
};

/** A restore takes no password: the instance has that of the snapshot until it is changed. A tag remembers that it was not. */
const passwordAfterRestore: DatabaseField = {
  path: "masterUserPassword.afterRestore",
  change: "in-place",
  want: (spec, given) =>
    spec.dbSnapshotIdentifier !== undefined && passwordOf(spec, given) !== undefined ? "Written" : undefined,
  have: ({ passwordDue }) => (passwordDue ? "AsInSnapshot" : "Written"),
};

export const AT_ONCE = "applyImmediately";

/**
 * Who wants changes at once gets those that wait, too. AWS begins them a moment later: until then they look as if nobody had said it.
 */
const atOnce: DatabaseField = {
  path: AT_ONCE,
  change: "in-place",
  want: (spec) => (spec.applyImmediately === true ? "Applied" : undefined),
  have: ({ waiting }) => (Object.keys(waiting).length > 0 ? "Pending" : "Applied"),
  settleMs: 2 * 60_000,
};

const AT_CREATION: readonly DatabaseField[] = (
  ["dbSnapshotIdentifier", "masterUserSecretKmsKeyID", "performanceInsightsKMSKeyID"] as const
).map((path) => ({ path, change: "at-creation", want: (spec) => spec[path] }));

/** RDS takes names in any case, and tells them in lower case. */
const identifier: DatabaseField = {
  path: "dbInstanceIdentifier",
  change: "replace",
  want: ({ dbInstanceIdentifier: name }) => name.toLowerCase(),
  have: ({ id }) => id,
};

/** The fields of an RDSInstance. */
export const DATABASE_FIELDS: readonly DatabaseField[] = [
  identifier,
  ...(Object.entries(SETTINGS) as [Setting, SettingRow][]).map(([path, setting]): DatabaseField => {
    const { change = "in-place", same, unset } = setting;
    return {
      path,
      change,
      want: setting.want ?? ((spec) => spec[path] as Json | undefined),
      have: ({ has }) => has[path],
      ...(same && { same }),
      ...(unset !== undefined && { unset }),
    };
  }),
  password,
  passwordAfterRestore,
  atOnce,
  ...AT_CREATION,
];

export function databaseReferences({ masterUserPasswordSecretRef: secret }: DatabaseSpec): readonly Reference[] {
  return secret === undefined ? [] : [{ to: "secret", path: SECRET, name: secret.name, key: secret.key }];
}
