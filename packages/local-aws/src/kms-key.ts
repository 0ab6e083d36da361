import { createHash } from "node:crypto";
import { partitionOf } from "./partition.ts";

/** A key as services tell it, however it was named: where an alias leads to is a key, the same one every time. */
export function kmsKeyArn(
  { account, region }: { readonly account: string; readonly region: string },
  key: string,
): string {
  const [, alias] = /(?:^|:)alias\/(.+)$/.exec(key) ?? [];
  if (alias === undefined && key.startsWith("arn:")) return key;
  return `arn:${partitionOf(region)}:kms:${region}:${account}:key/${alias === undefined ? key : idBehind(alias)}`;
}

function idBehind(alias: string): string {
  const hash = createHash("sha256").update(alias).digest("hex");
  return hash.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
