import { createHash } from "node:crypto";
import type { Immutable } from "@gatewright/kube";
import type { RDSInstance } from "@gatewright/resources";
import type { Obstacle } from "../../engine/aws-kind.ts";
import type { Ground } from "../../engine/session.ts";
import { isCode } from "./calls.ts";
import type { Database } from "./database.ts";
import { databaseState } from "./state.ts";

/** States of which AWS takes no final snapshot. */
const NO_SNAPSHOT: ReadonlySet<string> = new Set(["failed", "incompatible-restore", "incompatible-network"]);

/** Asks AWS to delete it, with a final snapshot unless the spec gives its data up. */
export async function removeDatabase(
  ground: Ground,
  seen: Database,
  object: Immutable<RDSInstance>,
): Promise<Obstacle | undefined> {
  const { aws, signal } = ground;
  const { spec } = object;
  const state = databaseState(seen);
  if (state.is === "going") return undefined;
  if (seen.has.deletionProtection === true) {
    if (spec.deletionProtection !== false) {
      return {
        reason: "DeletionProtected",
        message: `${seen.id} is protected against deletion: set deletionProtection: false to delete it, or deletionPolicy Retain to keep it`,
      };
    }
    await aws.rds.modifyDBInstance(
      { DBInstanceIdentifier: seen.id, DeletionProtection: false, ApplyImmediately: true },
      { signal },
    );
  }
  const snapshot = isSnapshotWanted(seen, spec);
  if (snapshot && NO_SNAPSHOT.has(seen.status)) {
    return {
      reason: "SnapshotImpossible",
      message: `${seen.id} is ${seen.status}, and AWS takes no final snapshot of it: mend it, or give its data up with deletionPolicy Delete and skipFinalSnapshot: true`,
    };
  }
  try {
    await aws.rds.deleteDBInstance(
      {
        DBInstanceIdentifier: seen.id,
        ...(snapshot ? { FinalDBSnapshotIdentifier: finalSnapshotOf(seen, object) } : { SkipFinalSnapshot: true }),
        ...(spec.deleteAutomatedBackups !== undefined && { DeleteAutomatedBackups: spec.deleteAutomatedBackups }),
      },
      { signal },
    );
  } catch (error) {
    if (isCode(error, "DBInstanceNotFound")) return undefined;
    // AWS is at something else, or was asked before: it is asked again after the next look.
    if (isCode(error, "InvalidDBInstanceState") && state.is === "busy") return undefined;
    throw error;
  }
  return undefined;
}

/** One that never came up has nothing to keep; the data of a replica is its source's, and AWS takes no final snapshot of it. */
function isSnapshotWanted({ came, copies, status }: Database, spec: Immutable<RDSInstance["spec"]>): boolean {
  if (copies || (!came && status === "failed")) return false;
  return spec.deletionPolicy === "Snapshot" || spec.skipFinalSnapshot !== true;
}

/** The same for the same instance however often it is asked for, and another for one that has its name later. */
export function finalSnapshotOf(
  { id, resourceId }: Pick<Database, "id" | "resourceId">,
  { spec, metadata }: Immutable<RDSInstance>,
): string {
  const unique = createHash("sha256").update(`${metadata.uid} ${resourceId}`).digest("hex").slice(0, 10);
  return spec.finalSnapshotIdentifier ?? `${id}-final-${unique}`;
}
