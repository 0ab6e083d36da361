import { isWithin } from "../domain-name.ts";
import type { ZoneView, ZoneViews } from "../zone-view.ts";

/** Zones from lines such as `a.example. A 10.0.0.1`, every TTL 60; the first line of each is the zone's name. */
export function zonesFromLines(...files: readonly (readonly string[])[]): ZoneViews {
  const views = files.map(([name = ".", ...lines]): ZoneView => {
    const records = lines.map((line) => line.split(" "));
    return {
      name,
      exists: (at) => at === name || records.some(([owner = ""]) => isWithin(owner, at)),
      records: (at, type) =>
        records.flatMap(([owner, kind, ...value]) =>
          owner === at && kind === type ? [{ ttl: 60, value: value.join(" ") }] : [],
        ),
      types: (at) => records.flatMap(([owner, kind = ""]) => (owner === at ? [kind] : [])),
    };
  });
  return {
    zoneOf: (name) =>
      views.filter((view) => isWithin(name, view.name)).toSorted((a, b) => b.name.length - a.name.length)[0],
  };
}
