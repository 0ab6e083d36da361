import type { Entry } from "./book.ts";
import type { CertificateSettings } from "./settings.ts";

const SOON_MS = 3_000;
const STUCK_MS = 900_000;
const DAY_MS = 86_400_000;
/** ACM begins to renew 45 days before the end; what is late is worth a look. */
const RENEWAL_MS = 44 * DAY_MS;

/** When a describe tells what sweeps cannot, in milliseconds from now; undefined: never, as things are. Pure. */
export function nextLook(
  entry: Entry,
  settings: Pick<CertificateSettings, "firstLookMs">,
  { now, wall }: { readonly now: number; readonly wall: number },
): number | undefined {
  const { certificate, describedAt, describes } = entry;
  if (entry.askedAt === undefined) return undefined;
  const since = (at: number, ms: number): number => Math.max(0, at + ms - now);
  const again = (ms: number): number => (describedAt === undefined ? 0 : since(describedAt, ms));
  if (entry.presence.is === "missed") return 0;
  if (certificate === undefined) return undefined;
  if (entry.moreNames && describes === 0) return 0;
  switch (certificate.status) {
    case "PENDING_VALIDATION": {
      if (describes === 0) return since(entry.requestedAt ?? -Infinity, settings.firstLookMs);
      const proofs = (certificate.validations ?? []).filter(({ record }) => record !== undefined);
      const complete = proofs.length >= certificate.names.length;
      return again(
        complete
          ? Math.min(DAY_MS, STUCK_MS * 2 ** (describes - 1))
          : Math.min(STUCK_MS, SOON_MS * 1.5 ** (describes - 1)),
      );
    }
    case "FAILED":
    case "VALIDATION_TIMED_OUT":
      return describes === 0 ? 0 : undefined;
    case "ISSUED": {
      if (entry.proofsWanted && certificate.validations === undefined) return 0;
      const late = certificate.type === "AMAZON_ISSUED" && (certificate.notAfter ?? Infinity) - wall < RENEWAL_MS;
      return late ? again(DAY_MS) : undefined;
    }
    default:
      return undefined;
  }
}
