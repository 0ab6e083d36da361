import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAuthority } from "@gatewright/certificates";
import type { Authority, KeyPair } from "@gatewright/certificates";
import { systemClock, systemRandom } from "@gatewright/ports";

const DAY = 86_400_000;

/** Whom the authority of the table vouches for, and whom a stranger's does: by common name, with what else they are called. */
const ISSUED = {
  authority: {
    "gateway.test": { hosts: ["gateway.test"], usedBy: ["server"] },
    "shop.test": { hosts: ["shop.test", "*.shop.test"], usedBy: ["server"] },
    "backend.test": { hosts: ["backend.test"], usedBy: ["server"] },
    gateway: { hosts: ["caller.gateway.test"], usedBy: ["client"] },
    ada: { hosts: ["ada.people.test"], usedBy: ["client"] },
    bob: { hosts: ["bob.people.test"], usedBy: ["client"] },
  },
  stranger: {
    mallory: { hosts: ["ada.people.test"], usedBy: ["client"] },
  },
} as const;

/** Who can show a certificate. */
export type CertificateName = keyof (typeof ISSUED)["authority"] | keyof (typeof ISSUED)["stranger"];

/** The certificates of the table, in files: `ada.pem` and `ada.key`, and those who issue them: `authority.pem`, `stranger.pem`. */
export class Certificates {
  readonly directory: string;
  readonly #pairs: ReadonlyMap<string, KeyPair>;
  /** Certificate of the authority that the table's clients, backends and gateways trust. */
  readonly authority: string;

  private constructor(directory: string, pairs: ReadonlyMap<string, KeyPair>, authority: string) {
    this.directory = directory;
    this.#pairs = pairs;
    this.authority = authority;
  }

  static async issue(): Promise<Certificates> {
    const directory = await mkdtemp(join(tmpdir(), "routing-table-certificates-"));
    const now = systemClock.now();
    const validity = { notBefore: now - DAY, notAfter: now + DAY };
    const pairs = new Map<string, KeyPair>();
    for (const [issuer, leaves] of Object.entries(ISSUED)) {
      const authority: Authority = createAuthority({ ...validity, subject: { commonName: issuer } }, systemRandom);
      pairs.set(issuer, authority);
      for (const [commonName, { hosts, usedBy }] of Object.entries(leaves))
        pairs.set(
          commonName,
          await authority.issue({ ...validity, subject: { commonName }, names: { hosts }, usedBy }),
        );
    }
    for (const [name, { certificate, key }] of pairs) {
      await writeFile(join(directory, `${name}.pem`), certificate);
      await writeFile(join(directory, `${name}.key`), key);
    }
    return new Certificates(directory, pairs, pairs.get("authority")?.certificate ?? "");
  }

  /** Where a file of the table is; undefined: there is none of this name. */
  file(name: string): string | undefined {
    const [, owner = ""] = /^(.*)\.(?:pem|key)$/.exec(name) ?? [];
    return this.#pairs.has(owner) ? join(this.directory, name) : undefined;
  }

  /** A certificate and its key, as sockets take them. */
  pair(name: CertificateName): { readonly cert: string; readonly key: string } {
    const pair = this.#pairs.get(name);
    if (pair === undefined) throw new Error(`nobody issued a certificate to ${name}`);
    return { cert: pair.certificate, key: pair.key };
  }

  async close(): Promise<void> {
    await rm(this.directory, { recursive: true });
  }
}
