/** What the version of an update says: the content that a gateway has after it, and the update's place. */
export interface UpdateVersion {
  readonly hash: bigint;
  readonly sequence: bigint;
}

const FORM = /^([0-9a-f]{32})-([0-9]{1,18})$/;

/**
 * `<hash of the content>-<sequence>`. Gateways give it back when they return: equal content needs nothing, on whichever replica and
 * after whichever restart; and what is sent next counts on from their sequence, whatever the clocks say.
 */
export function formatUpdateVersion({ hash, sequence }: UpdateVersion): string {
  return `${hash.toString(16).padStart(32, "0")}-${sequence}`;
}

/** Reads one of ours; undefined for anything else. */
export function parseUpdateVersion(text: string): UpdateVersion | undefined {
  const [, hash, sequence] = FORM.exec(text) ?? [];
  if (hash === undefined || sequence === undefined) return undefined;
  return { hash: BigInt(`0x${hash}`), sequence: BigInt(sequence) };
}
