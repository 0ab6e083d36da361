/**
 * What speaks for a certificate being gone. Times are on the monotonic clock: when the look that told it began.
 * - `seen`: the last look found it.
 * - `missed`: so many complete sweeps in a row did not.
 * - `denied`: a describe said that it does not exist; no sweep has begun since.
 * - `absent`: a sweep that began after that did not find it either.
 */
export type Presence =
  | { readonly is: "seen" }
  | { readonly is: "missed"; readonly sweeps: number }
  | { readonly is: "denied"; readonly at: number }
  | { readonly is: "absent" };

/** What a look found. Looks that began before AWS could know of the certificate must not be told. */
export type Sight = "found" | "sweep without it" | "no such certificate";

/** Draws the conclusion. Pure. Listings are no snapshots and may be stale, so one alone proves nothing. */
export function conclude(before: Presence, sight: Sight, began: number): Presence {
  switch (sight) {
    case "found":
      return { is: "seen" };
    case "no such certificate":
      return before.is === "absent" ? before : { is: "denied", at: began };
    case "sweep without it":
      if (before.is === "absent") return before;
      if (before.is === "denied") return began > before.at ? { is: "absent" } : before;
      return { is: "missed", sweeps: before.is === "missed" ? before.sweeps + 1 : 1 };
  }
}
