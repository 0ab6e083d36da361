import { randomString } from "@gatewright/ports";
import type { IssuedCredentials } from "../neighbours.ts";
import type { Records } from "../state/state.ts";
import type { AwsWorld } from "../world.ts";

/** Whose credentials they are, and for how long. */
export interface Session {
  readonly account: string;
  readonly arn: string;
  readonly userId: string;
  readonly expires: number;
  /** Whether they came from a role: from those no long session can be had. */
  readonly ofRole: boolean;
  /** Tags that are carried on into sessions that are made from this one. */
  readonly transitiveTags: readonly (readonly [key: string, value: string])[];
  readonly sourceIdentity?: string;
}

interface StoredSession extends Session {
  readonly secretAccessKey: string;
  readonly sessionToken: string;
}

/** Temporary credentials as clients get them. */
export interface IssuedKeys {
  readonly AccessKeyId: string;
  readonly SecretAccessKey: string;
  readonly SessionToken: string;
  readonly Expiration: number;
}

/** Expired credentials are known for a while longer, so that their users are told what is wrong. */
const REMEMBERED = 86_400_000;
const KEY_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const SECRET_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const SECRET_LENGTH = 40;
const TOKEN_LENGTH = 380;

/** Temporary credentials that were given out. */
export class SessionStore implements IssuedCredentials {
  readonly #world: AwsWorld;
  readonly #sessions: Records<StoredSession>;
  /** Keyed by the end and the key, so that those at their end are found without looking at all. */
  readonly #ends: Records<string>;

  constructor(world: AwsWorld) {
    this.#world = world;
    this.#sessions = world.state.records("sts/sessions");
    this.#ends = world.state.records("sts/session-ends");
  }

  find(accessKeyId: string): StoredSession | undefined {
    return this.#sessions.get(accessKeyId);
  }

  /** Gives out new credentials. Forgets those whose end is long past. */
  async issue(session: Session): Promise<IssuedKeys> {
    const { random, clock, state } = this.#world;
    const id = `ASIA${randomString(random, KEY_ALPHABET, 16)}`;
    const secretAccessKey = randomString(random, SECRET_ALPHABET, SECRET_LENGTH);
    const sessionToken = `IQoJ${randomString(random, SECRET_ALPHABET, TOKEN_LENGTH)}`;
    const oldest = endKey(clock.now() - REMEMBERED);
    await state.commit((commit) => {
      for (const [key, gone] of this.#ends.scan("")) {
        if (key >= oldest) break;
        commit.delete(this.#ends, key);
        commit.delete(this.#sessions, gone);
      }
      commit.put(this.#sessions, id, { ...session, secretAccessKey, sessionToken });
      commit.put(this.#ends, `${endKey(session.expires)}|${id}`, id);
    });
    return {
      AccessKeyId: id,
      SecretAccessKey: secretAccessKey,
      SessionToken: sessionToken,
      Expiration: session.expires,
    };
  }
}

function endKey(moment: number): string {
  return String(Math.max(moment, 0)).padStart(15, "0");
}
