import { AwsError } from "../aws-error.ts";

/** Refusals in the words of RDS. */
export const invalidValue = (message: string): AwsError => new AwsError("InvalidParameterValue", message);

export const invalidCombination = (message: string): AwsError => new AwsError("InvalidParameterCombination", message);

export const invalidState = (message: string): AwsError => new AwsError("InvalidDBInstanceState", message);

export const noInstance = (id: string): AwsError =>
  new AwsError("DBInstanceNotFound", `DBInstance ${id} not found.`, { status: 404 });

export const noSnapshot = (id: string): AwsError =>
  new AwsError("DBSnapshotNotFound", `DBSnapshot ${id} not found.`, { status: 404 });

export const noSubnetGroup = (name: string): AwsError =>
  new AwsError("DBSubnetGroupNotFoundFault", `DB subnet group '${name}' does not exist.`, { status: 404 });

export const noParameterGroup = (name: string): AwsError =>
  new AwsError("DBParameterGroupNotFound", `DBParameterGroup not found: ${name}`, { status: 404 });
