import { hash } from "node:crypto";
import { AwsError } from "../aws-error.ts";
import type { Commit, Records } from "../state/state.ts";
import type { AwsWorld } from "../world.ts";
import type { Place } from "./records.ts";

/** What was asked for under a token, and when. */
interface TokenRecord {
  readonly asked: string;
  readonly at: number;
}

/** Remembers by the tokens of clients what was done, so that a call that is repeated does nothing. */
export interface RequestTokens {
  /** Whether the same was done under the token already. Refuses when it was something else. */
  isDone(place: Place, token: string, asked: unknown): boolean;
  remember(commit: Commit, place: Place, token: string, asked: unknown): void;
}

const REMEMBERED = 10 * 60_000;

export function requestTokens({ state, clock }: AwsWorld): RequestTokens {
  const known: Records<TokenRecord> = state.records("dynamodb/tokens");
  let lookedThrough = clock.now();
  const keyOf = ({ account, region }: Place, token: string): string => `${account}|${region}|${token}`;
  const isOld = ({ at }: TokenRecord): boolean => at + REMEMBERED <= clock.now();
  return {
    isDone(place, token, asked) {
      const found = known.get(keyOf(place, token));
      if (found === undefined || isOld(found)) return false;
      if (found.asked === fingerprint(asked)) return true;
      throw new AwsError(
        "IdempotentParameterMismatchException",
        "The request was retried with another payload, and with an idempotent token that was already used.",
      );
    },
    remember(commit, place, token, asked) {
      // Clients send a token with every call, so that to look through all of them each time would be slow.
      if (lookedThrough + REMEMBERED <= clock.now()) {
        for (const [key, record] of known.list()) if (isOld(record)) commit.delete(known, key);
        lookedThrough = clock.now();
      }
      commit.put(known, keyOf(place, token), { asked: fingerprint(asked), at: clock.now() });
    },
  };
}

/** The same for the same request, in whatever order its maps come. */
function fingerprint(asked: unknown): string {
  const text = JSON.stringify(asked, (_, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
      : value,
  );
  return hash("sha256", text, "hex");
}
