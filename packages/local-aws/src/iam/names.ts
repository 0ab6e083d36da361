import { randomString } from "@gatewright/ports";
import type { Random } from "@gatewright/ports";
import { partitionOf } from "../partition.ts";
import type { CallContext } from "../service.ts";
import { invalidValue } from "./refusals.ts";

const ID_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** What ARNs call things, and what their ids begin with. */
const KINDS = { role: "AROA", policy: "ANPA", "instance-profile": "AIPA" } as const;

/** What a new thing is known by. */
export interface Identity {
  readonly account: string;
  readonly name: string;
  readonly path: string;
  readonly id: string;
  readonly arn: string;
}

/** A new identity in an account; refuses names and paths that nothing can have. */
export function newIdentity(
  random: Random,
  { account, region }: Pick<CallContext, "account" | "region">,
  kind: keyof typeof KINDS,
  { name, path = "/" }: { readonly name: string; readonly path?: string | undefined },
): Identity {
  if (!/^[\w+=,.@-]+$/.test(name)) {
    throw invalidValue(
      `The specified value for ${MEMBERS[kind]} is invalid. It must contain only alphanumeric characters and/or the following: +=,.@_-`,
    );
  }
  if (!/^\/([\x21-\x7e]+\/)?$/.test(path)) {
    throw invalidValue(
      "The specified value for path is invalid. It must begin and end with / and contain only alphanumeric characters and/or / characters.",
    );
  }
  const arn = `arn:${partitionOf(region)}:iam::${account}:${kind}${path}${name}`;
  return { account, name, path, id: `${KINDS[kind]}${randomString(random, ID_ALPHABET, 17)}`, arn };
}

const MEMBERS = { role: "roleName", policy: "policyName", "instance-profile": "instanceProfileName" } as const;
