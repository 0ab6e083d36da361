import { DomainClaim } from "@gatewright/resources";
import type { ReconcileContext } from "@gatewright/runtime";
import { ownerOf } from "./claim.ts";
import type { Claim } from "./claim.ts";

/** The cache shows an older version of a claim than the server has. Once it has caught up there is another run. */
export class OutdatedClaimError extends Error {
  constructor(claim: Claim) {
    super(`DomainClaim ${ownerOf(claim)} was changed or deleted, and the cache does not show it yet`);
    this.name = "OutdatedClaimError";
  }
}

/** Versions of claims that the server is known to have had while this process leads: it wrote them, or read them live. */
export interface Confirmed {
  wrote(claim: Claim): void;
  /** Rejects with {@link OutdatedClaimError} when the server has another version. Asks it once for each. */
  confirm(context: Pick<ReconcileContext<DomainClaim>, "client" | "signal">, claim: Claim): Promise<void>;
  forget(claim: string): void;
  /** Somebody else may have led meanwhile. */
  clear(): void;
}

/**
 * Before anything is asked of AWS for a claim: a process that has just begun to lead may have an old cache, and would make records
 * and certificates anew for what is gone. What this process wrote itself needs no question.
 */
export function createConfirmed(): Confirmed {
  const versions = new Map<string, string>();
  const wrote = (claim: Claim): void => {
    versions.set(ownerOf(claim), versionOf(claim));
  };
  return {
    wrote,
    forget: (claim) => void versions.delete(claim),
    clear: () => versions.clear(),
    async confirm({ client, signal }, claim) {
      const name = ownerOf(claim);
      if (versions.get(name) === versionOf(claim)) return;
      const live = await client.for(DomainClaim).find({ name }, { signal });
      if (live === undefined || versionOf(live) !== versionOf(claim)) throw new OutdatedClaimError(claim);
      wrote(live);
    },
  };
}

function versionOf({ metadata: { uid, resourceVersion } }: Claim): string {
  return `${uid} ${resourceVersion}`;
}
