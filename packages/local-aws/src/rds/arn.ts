import { createHash } from "node:crypto";
import { partitionOf } from "../partition.ts";
import type { Place } from "./rds-store.ts";

/** What the ARNs of RDS call things. */
export type Kind = "db" | "snapshot" | "subgrp" | "pg";

export function rdsArn({ account, region }: Place, kind: Kind, name: string): string {
  return `arn:${partitionOf(region)}:rds:${region}:${account}:${kind}:${name}`;
}

/** The parts of an ARN of RDS; undefined for anything else. */
export function parseArn(arn: string): (Place & { readonly kind: Kind; readonly name: string }) | undefined {
  const [, region, account, kind, name] =
    /^arn:aws[a-z-]*:rds:([a-z0-9-]+):(\d{12}):(db|snapshot|subgrp|pg):([A-Za-z0-9.:_-]+)$/.exec(arn) ?? [];
  return region === undefined || account === undefined || name === undefined
    ? undefined
    : { region, account, kind: kind as Kind, name };
}

/** Names of instances end the same in an account and region. */
export function hostOf({ account, region }: Place, identifier: string): string {
  const label = createHash("sha256").update(`rds ${account} ${region}`).digest("hex").slice(0, 12);
  return `${identifier}.c${label.slice(1)}.${region}.rds.${partitionOf(region) === "aws-cn" ? "amazonaws.com.cn" : "amazonaws.com"}`;
}
