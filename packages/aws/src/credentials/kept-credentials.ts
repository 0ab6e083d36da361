import type { AwsCredentials } from "@gatewright/aws-wire";
import type { Clock, Random } from "@gatewright/ports";
import type { CredentialSource } from "../caller.ts";
import { SharedFetch } from "./shared-fetch.ts";

/** Keys that end. */
export interface ExpiringCredentials {
  readonly credentials: AwsCredentials;
  /** Milliseconds since the Unix epoch. */
  readonly expires: number;
}

/** What sources of keys that end need. */
export interface KeptPorts {
  readonly clock: Clock;
  readonly random: Random;
}

/** How long before their end keys are replaced; of those that live shortly, the last third of their life. */
const EARLY_MS = 5 * 60_000;
/** Keys that end within this are not signed with: the request has a way to go. */
const LAST_MS = 10_000;
/** Keys that are this new have not ended, whoever says so: fetching others would not help, and would not stop. */
const NEW_MS = 10_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/**
 * Keys that are fetched when they are first needed and again before they end. Fetched once for all who ask at the same time. In the
 * last minutes of their life the old ones are given while new ones are fetched, and for as long as that fails. After a failure it is
 * not tried again at once: the pause doubles up to a minute, and who asks meanwhile gets the old keys or the same error. Their end is
 * told by AWS's clock; where ours is behind, it is AWS's word that they have ended which has them fetched again.
 */
export function keptCredentials(
  obtain: (signal: AbortSignal) => Promise<ExpiringCredentials>,
  { clock, random }: KeptPorts,
): CredentialSource {
  let held: (ExpiringCredentials & { readonly refreshAt: number; readonly since: number }) | undefined;
  let failed: { readonly error: unknown; readonly times: number; readonly until: number } | undefined;
  const shared = new SharedFetch(async (signal) => {
    try {
      const { credentials, expires } = await obtain(signal);
      const now = clock.now();
      const refreshAt = expires - Math.min(EARLY_MS, (expires - now) / 3);
      held = { credentials, expires, refreshAt, since: clock.monotonic() };
      failed = undefined;
      return credentials;
    } catch (error) {
      // That nobody waits any more says nothing about who was asked.
      if (!signal.aborted) {
        const times = (failed?.times ?? 0) + 1;
        failed = { error, times, until: clock.monotonic() + pauseMs(times, random) };
      }
      throw error;
    }
  });
  const give = async (signal: AbortSignal): Promise<AwsCredentials> => {
    signal.throwIfAborted();
    const now = clock.now();
    const pausing = failed !== undefined && clock.monotonic() < failed.until;
    if (held !== undefined && now < held.expires - LAST_MS) {
      // Whether it works is told by `failed`; these keys are good either way.
      if (now >= held.refreshAt && !pausing) shared.join(signal).catch(() => {});
      return held.credentials;
    }
    if (pausing && !shared.running) throw failed?.error;
    return shared.join(signal);
  };
  const ended = ({ accessKeyId }: AwsCredentials): void => {
    if (held?.credentials.accessKeyId !== accessKeyId) return;
    if (clock.monotonic() - held.since >= NEW_MS) held = undefined;
  };
  return Object.assign(give, { ended });
}

/** Between a half and the whole of a bound that doubles. */
function pauseMs(times: number, random: Random): number {
  const bound = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (times - 1));
  const [byte = 0] = random.bytes(1);
  return bound * (0.5 + byte / 510);
}
