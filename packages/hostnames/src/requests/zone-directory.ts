import { isWithin } from "../names/index.ts";
import { REASONS } from "../reasons.ts";
import type { Request } from "./observation.ts";
import type { Refusal } from "./refusal.ts";

/** What is asked about hosted zones. The zones of the aws room answer it. */
export interface ZoneDirectory {
  /** Rejects when it cannot be known: that never means absent. */
  zone(zoneId: string, signal: AbortSignal): Promise<{ readonly name: string; readonly private: boolean } | "absent">;
}

/** A zone as it was found, or why it was not. */
export type ZoneFinding =
  | { readonly state: "found"; readonly name: string; readonly private: boolean }
  | { readonly state: "absent" }
  | { readonly state: "unknown"; readonly error: unknown };

/** Looks a zone up. */
export async function findZone(zones: ZoneDirectory, zoneId: string, signal: AbortSignal): Promise<ZoneFinding> {
  try {
    const zone = await zones.zone(zoneId, signal);
    return zone === "absent" ? { state: "absent" } : { state: "found", name: zone.name, private: zone.private };
  } catch (error) {
    signal.throwIfAborted();
    return { state: "unknown", error };
  }
}

/** Why a hostname cannot be in a zone. Pure. */
export function zoneRefusal({ spec }: Request, hostname: string, zone: ZoneFinding): Refusal | undefined {
  const { zoneId } = spec;
  switch (zone.state) {
    case "unknown": {
      const why = zone.error instanceof Error ? zone.error.message : "no answer";
      const message = `hosted zone ${zoneId} could not be looked up: ${why}`;
      return { reason: REASONS.ZoneLookupFailed.reason, kind: "failed", message, error: zone.error };
    }
    case "absent":
      return {
        reason: REASONS.ZoneNotFound.reason,
        kind: "denied",
        message: `there is no hosted zone ${zoneId} in the account`,
        looksAgain: true,
      };
    case "found":
  }
  if (!isWithin(hostname, zone.name)) {
    const message = `${hostname} is not in hosted zone ${zoneId}, which is that of ${zone.name}`;
    return { reason: REASONS.HostnameNotInZone.reason, kind: "denied", message, looksAgain: true };
  }
  if (zone.private && spec.certificate?.arn === undefined) {
    const message = `hosted zone ${zoneId} is private, and a public certificate cannot be validated in it`;
    return { reason: REASONS.PrivateZone.reason, kind: "denied", message, looksAgain: true };
  }
  return undefined;
}
