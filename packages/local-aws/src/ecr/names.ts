import { partitionOf } from "../partition.ts";
import type { Place, RepositoryRecord } from "./records.ts";
import { invalidParameter } from "./refusals.ts";

const PART = "[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*";
const NAME = new RegExp(`^(?:${PART}/)*${PART}$`);

/** Refuses names that no repository can have. */
export function checkName(name: string): void {
  // No two ways lead through a name: what joins the parts of it is never part of them.
  if (NAME.test(name)) return;
  throw invalidParameter(
    "repositoryName",
    "must satisfy regular expression '(?:[a-z0-9]+(?:[._-][a-z0-9]+)*/)*[a-z0-9]+(?:[._-][a-z0-9]+)*'",
  );
}

export function repositoryArn({
  account,
  region,
  name,
}: Pick<RepositoryRecord, "account" | "region" | "name">): string {
  return `arn:${partitionOf(region)}:ecr:${region}:${account}:repository/${name}`;
}

/** Place and name of a repository's ARN; undefined when it is none. */
export function readArn(arn: string): (Place & { readonly name: string }) | undefined {
  const [, region, account, name] = /^arn:aws[a-z-]*:ecr:([a-z0-9-]+):(\d{12}):repository\/(.+)$/.exec(arn) ?? [];
  return region === undefined || account === undefined || name === undefined ? undefined : { region, account, name };
}

/** Where images are pushed to and pulled from: `000000000000.dkr.ecr.eu-west-1.amazonaws.com`. */
export function registryHost({ account, region }: Place): string {
  return `${account}.dkr.ecr.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}`;
}
