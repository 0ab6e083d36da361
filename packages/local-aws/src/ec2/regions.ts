/** Regions that are told of. Others work all the same, with three zones each. */
const REGIONS: ReadonlyMap<string, readonly [code: string, zones: string]> = new Map([
  ["us-east-1", ["use1", "abcdef"]],
  ["us-east-2", ["use2", "abc"]],
  ["us-west-1", ["usw1", "ac"]],
  ["us-west-2", ["usw2", "abcd"]],
  ["ca-central-1", ["cac1", "abd"]],
  ["sa-east-1", ["sae1", "abc"]],
  ["eu-west-1", ["euw1", "abc"]],
  ["eu-west-2", ["euw2", "abc"]],
  ["eu-west-3", ["euw3", "abc"]],
  ["eu-central-1", ["euc1", "abc"]],
  ["eu-north-1", ["eun1", "abc"]],
  ["ap-south-1", ["aps1", "abc"]],
  ["ap-southeast-1", ["apse1", "abc"]],
  ["ap-southeast-2", ["apse2", "abc"]],
  ["ap-northeast-1", ["apne1", "acd"]],
  ["ap-northeast-2", ["apne2", "abcd"]],
  ["ap-northeast-3", ["apne3", "abc"]],
]);

/** A zone by its name and by the id that is the same for all accounts. */
export interface Zone {
  readonly name: string;
  readonly id: string;
}

export function regionNames(): readonly string[] {
  return [...REGIONS.keys()];
}

export function zonesOf(region: string): readonly Zone[] {
  const [code, letters] = REGIONS.get(region) ?? [region.replaceAll("-", ""), "abc"];
  return [...letters].map((letter, i) => ({ name: `${region}${letter}`, id: `${code}-az${i + 1}` }));
}

export function zoneIdOf(region: string, name: string): string | undefined {
  return zonesOf(region).find((zone) => zone.name === name)?.id;
}
