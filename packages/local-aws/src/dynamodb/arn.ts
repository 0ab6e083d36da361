import { partitionOf } from "../partition.ts";
import type { Place } from "./records.ts";
import { invalid } from "./refusals.ts";

const TABLE = /^arn:aws[a-z-]*:dynamodb:([a-z0-9-]+):(\d{12}):table\/([A-Za-z0-9_.-]{3,255})$/;
const NAME = /^[A-Za-z0-9_.-]{3,255}$/;

export function tableArn({ account, region }: Place, name: string): string {
  return `arn:${partitionOf(region)}:dynamodb:${region}:${account}:table/${name}`;
}

/** Place and name of a table's ARN; undefined when it is none. */
export function readTableArn(arn: string): (Place & { readonly name: string }) | undefined {
  const [, region, account, name] = TABLE.exec(arn) ?? [];
  return region === undefined || account === undefined || name === undefined ? undefined : { region, account, name };
}

/** The name of a table, which may be told as an ARN. Refuses what is neither. */
export function tableName(given: string): string {
  const name = readTableArn(given)?.name ?? given;
  if (NAME.test(name)) return name;
  throw invalid(
    "TableName must be at least 3 characters long and at most 255 characters long, and consist of the characters a-z, A-Z, 0-9, '_', '-' and '.'",
  );
}
