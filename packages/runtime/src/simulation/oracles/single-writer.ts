import { seconds } from "./oracle.ts";
import type { Oracle } from "./oracle.ts";

/**
 * Nothing but reads leaves a process that does not hold the lease. Judged at the moment of sending, by what the server has: what was
 * sent in time may arrive late, and no client can prevent that.
 */
export const singleWriter: Oracle = {
  name: "single writer",
  about: "no write leaves a process after its lease may have ended",
  judge: ({ effects }) =>
    effects.flatMap(({ lease, identity, sentAt, site, object }) => {
      if (lease === undefined) return [];
      const what = `${identity} sent ${site} ${object} at ${seconds(sentAt)}`;
      if (lease.holder !== identity) return [`${what}, when the lease was held by ${lease.holder || "nobody"}`];
      return sentAt > lease.validUntil ? [`${what}; its lease had ended at ${seconds(lease.validUntil)}`] : [];
    }),
};
