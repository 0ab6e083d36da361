import { randomString } from "@gatewright/ports";
import type { Random } from "@gatewright/ports";
import { AwsError } from "../aws-error.ts";
import { partitionOf } from "../partition.ts";
import type { Place } from "./records.ts";

const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/** Refuses names that no secret can have. */
export function checkName(name: string): void {
  if (/^[A-Za-z0-9/_+=.@!-]{1,512}$/.test(name)) return;
  throw new AwsError(
    "ValidationException",
    "Invalid name. Must be a valid name containing alphanumeric characters, or any of the following: -/_+=.@!",
  );
}

/** A new ARN for a name. It ends at random, so that a secret of the same name later is another one to policies. */
export function newArn(random: Random, { account, region }: Place, name: string): string {
  return `arn:${partitionOf(region)}:secretsmanager:${region}:${account}:secret:${name}-${randomString(random, LETTERS, 6)}`;
}

/** The key that a secret is told to have: none when it is the one that AWS keeps for secrets, however that is said. */
export function keyOf(given: string | undefined): string | undefined {
  return given === "" || /^(?:arn:[^:]+:kms:[^:]*:[^:]*:)?alias\/aws\/secretsmanager$/.test(given ?? "")
    ? undefined
    : given;
}

/** Place of an ARN and what follows `secret:`; undefined when it is no ARN of a secret. */
export function readArn(arn: string): (Place & { readonly rest: string }) | undefined {
  const [head, , service, region, account, kind, ...more] = arn.split(":");
  if (head !== "arn" || service !== "secretsmanager" || kind !== "secret") return undefined;
  const rest = more.join(":");
  return region === undefined || account === undefined || rest === "" ? undefined : { region, account, rest };
}
