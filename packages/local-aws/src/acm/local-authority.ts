import { createAuthority, loadAuthority } from "@gatewright/certificates";
import type { Authority, KeyPair } from "@gatewright/certificates";
import type { AwsWorld } from "../world.ts";

const DAY = 86_400_000;
const KEY = "root";
/** Longer than anybody keeps a laptop. */
const LIFE = 20 * 365 * DAY;

/** Signs what ACM issues. It is made when it is first needed and stays the same from then on, over restarts, too. */
export class LocalAuthority {
  readonly #world: AwsWorld;
  #loaded: Authority | undefined;

  constructor(world: AwsWorld) {
    this.#world = world;
  }

  /** Resolves when the authority is sure to be there after a crash. */
  async get(): Promise<Authority> {
    if (this.#loaded) return this.#loaded;
    const { state, random, clock } = this.#world;
    const records = state.records<KeyPair>("acm/authority");
    const stored = records.get(KEY);
    if (stored !== undefined) return (this.#loaded = loadAuthority(stored, random));
    const notBefore = clock.now() - DAY;
    const subject = { commonName: "Local ACM Root CA", organizations: ["Gatewright local AWS"] };
    const made = createAuthority({ subject, notBefore, notAfter: notBefore + LIFE }, random);
    this.#loaded = made;
    await state.commit((commit) => commit.put(records, KEY, { certificate: made.certificate, key: made.key }));
    return made;
  }
}
