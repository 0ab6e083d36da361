import { RDSInstance } from "@gatewright/resources";
import type { AwsKind } from "../../engine/aws-kind.ts";
import { changeDatabase, createDatabase, readDatabase, readDatabases, tagDatabase } from "./calls.ts";
import type { Database } from "./database.ts";
import { DATABASE_FIELDS, databaseReferences } from "./fields.ts";
import { removeDatabase } from "./remove.ts";
import { databaseState } from "./state.ts";

/** Database instances of RDS. */
export const rdsInstance: AwsKind<RDSInstance, Database> = {
  resource: RDSInstance,
  finalizer: "aws-infra-operator.runner.codes/rds-finalizer",
  service: "rds",
  tagType: "rds:db",
  holdsData: true,
  driftMs: 10 * 60_000,
  // Names make creation safe to repeat.
  lagMs: 5_000,
  nameOf: ({ dbInstanceIdentifier }) => dbInstanceIdentifier.toLowerCase(),
  idOf: (arn) => arn.slice(arn.lastIndexOf(":") + 1),
  fields: DATABASE_FIELDS,
  references: databaseReferences,
  outputsInStatus: {
    arn: "dbInstanceArn",
    endpoint: "endpoint",
    address: "endpoint",
    port: "port",
    username: "username",
    dbName: "dbName",
    masterUserSecretArn: "masterUserSecretArn",
  },

  read: readDatabase,
  readMany: readDatabases,
  mostAtOnce: Number.POSITIVE_INFINITY,
  create: createDatabase,
  change: changeDatabase,
  tag: tagDatabase,
  remove: removeDatabase,

  idIn: ({ id }) => id,
  tagsOf: ({ tags }) => tags,
  stateOf: databaseState,
  statusOf: (seen) => ({
    dbInstanceArn: seen.arn,
    status: seen.status,
    rebootNeeded: seen.rebootNeeded,
    pendingChanges: { ...seen.pending },
    ...(seen.host !== undefined && { endpoint: seen.host }),
    ...(seen.port !== undefined && { port: seen.port }),
    ...(seen.version !== undefined && { engineVersion: seen.version }),
    ...(seen.size !== undefined && { allocatedStorage: seen.size }),
    ...(seen.zone !== undefined && { availabilityZone: seen.zone }),
    ...(seen.secretArn !== undefined && { masterUserSecretArn: seen.secretArn }),
    ...text("username", seen.has.masterUsername),
    ...text("dbName", seen.has.dbName),
  }),
  outputsOf: (seen) => ({
    arn: seen.arn,
    identifier: seen.id,
    ...text("endpoint", seen.host),
    ...text("address", seen.host),
    ...text("port", seen.port),
    ...text("username", seen.has.masterUsername),
    ...text("dbName", seen.has.dbName),
    ...text("engine", seen.has.engine),
    ...text("masterUserSecretArn", seen.secretArn),
  }),
};

function text<N extends string>(name: N, value: unknown): { readonly [Name in N]?: string } {
  return value === undefined ? {} : ({ [name]: String(value) } as { readonly [Name in N]?: string });
}
