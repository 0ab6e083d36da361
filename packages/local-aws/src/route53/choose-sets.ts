import type { Random } from "@gatewright/ports";
import type { ResourceRecordSet } from "@gatewright/aws-wire/types/route53";

const MOST_VALUES = 8;

/**
 * The sets that answer among those of one name and type. Weights draw lots, values of a multivalue answer are at most eight, the
 * primary is healthy, and for where a client is (regions, places, networks) the default or the first set is taken: everybody is
 * on this machine.
 */
export function chooseSets(sets: readonly ResourceRecordSet[], random: Random): readonly ResourceRecordSet[] {
  const [first] = sets;
  if (!first || sets.length === 1) return sets;
  if (first.MultiValueAnswer !== undefined) return shuffled(sets, random).slice(0, MOST_VALUES);
  if (first.Weight !== undefined) return [weighted(sets, random) ?? first];
  const standard = sets.find(
    ({ Failover, GeoLocation, CidrRoutingConfig }) =>
      Failover === "PRIMARY" || GeoLocation?.CountryCode === "*" || CidrRoutingConfig?.LocationName === "*",
  );
  return [standard ?? first];
}

/** Each with the chance of its weight; where all weigh nothing, each with the same. */
function weighted(sets: readonly ResourceRecordSet[], random: Random): ResourceRecordSet | undefined {
  const total = sets.reduce((sum, { Weight = 0 }) => sum + Weight, 0);
  if (total === 0) return sets[below(sets.length, random)];
  let lot = below(total, random);
  return sets.find(({ Weight = 0 }) => (lot -= Weight) < 0);
}

function shuffled<T>(values: readonly T[], random: Random): T[] {
  const rest = [...values];
  return values.flatMap(() => rest.splice(below(rest.length, random), 1));
}

/** A whole number from 0 to below `end`. */
function below(end: number, random: Random): number {
  const bytes = random.bytes(4);
  return Buffer.from(bytes.buffer, bytes.byteOffset, 4).readUInt32BE() % end;
}
