import type { KnownKey } from "@gatewright/aws-wire";
import type { IssuedCredentials } from "../neighbours.ts";
import type { Caller } from "../service.ts";

/** A key pair and whose it is. */
export interface AccountKey {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** 12 digits. */
  readonly account: string;
  /** The account's root unless said otherwise. */
  readonly arn?: string;
  readonly userId?: string;
}

/** The pair that everyone on a laptop knows. */
export const LAPTOP_KEY: AccountKey = { accessKeyId: "test", secretAccessKey: "test", account: "000000000000" };

/** Keys that can sign: those that were given at the start, and those that STS gave out since. */
export interface KeyRing {
  secretFor(accessKeyId: string): KnownKey | undefined;
  /** Who has a key that `secretFor` knows. */
  callerOf(accessKeyId: string): Caller | undefined;
}

export function createKeyRing(keys: readonly AccountKey[], issued: IssuedCredentials | undefined): KeyRing {
  const known = new Map(keys.map((key) => [key.accessKeyId, key]));
  return {
    secretFor: (id) => known.get(id) ?? issued?.find(id),
    callerOf(accessKeyId) {
      const key = known.get(accessKeyId) ?? issued?.find(accessKeyId);
      if (!key) return undefined;
      const { account, arn = `arn:aws:iam::${account}:root`, userId = account } = key;
      return { account, arn, userId, accessKeyId };
    },
  };
}
