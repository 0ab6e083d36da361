import { hash } from "node:crypto";
import { AwsError } from "../aws-error.ts";

/** A role as its ARN names it. There are no roles as objects here. */
export interface Role {
  readonly arn: string;
  readonly partition: string;
  readonly account: string;
  /** Without its path. */
  readonly name: string;
  /** `AROA…`, the same for the same ARN. */
  readonly id: string;
}

const ROLE = /^arn:(aws[a-z-]*):iam::(\d{12}):role\/((?:[\x21-\x7e]+\/)?)([\w+=,.@-]{1,64})$/;
const ID_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Reads the ARN of a role; refuses what is none. */
export function roleOf(arn: string): Role {
  const [, partition, account, , name] = ROLE.exec(arn) ?? [];
  if (partition === undefined || account === undefined || name === undefined) {
    throw new AwsError("ValidationError", `${arn.slice(0, 256)} is invalid`);
  }
  const id = `AROA${[...hash("sha256", arn, "buffer").subarray(0, 17)].map((byte) => ID_ALPHABET[byte % 32]).join("")}`;
  return { arn, partition, account, name, id };
}

/** Who somebody is after taking on a role. */
export function assumedRole(
  { partition, account, name, id }: Role,
  sessionName: string,
): { readonly arn: string; readonly userId: string } {
  return {
    arn: `arn:${partition}:sts::${account}:assumed-role/${name}/${sessionName}`,
    userId: `${id}:${sessionName}`,
  };
}
