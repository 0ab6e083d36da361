import { AwsError } from "../aws-error.ts";
import { partitionOf } from "../partition.ts";
import type { Place } from "./records.ts";
import { invalidParameter } from "./refusals.ts";

const NAME = /^[A-Za-z0-9_-]{1,80}$/;
const SUFFIX = ".fifo";

/** Whether a name is one of a FIFO queue. */
export function isFifoName(name: string): boolean {
  return name.endsWith(SUFFIX);
}

/** Refuses names that no queue can have. */
export function checkName(name: string, fifo: boolean): void {
  const stem = isFifoName(name) ? name.slice(0, -SUFFIX.length) : name;
  if (NAME.test(stem) && name.length <= 80 && fifo === isFifoName(name)) return;
  throw invalidParameter(
    fifo || isFifoName(name)
      ? "The name of a FIFO queue can only include alphanumeric characters, hyphens, or underscores, must end with .fifo suffix and be 1 to 80 in length."
      : "Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length",
  );
}

export function queueArn({ account, region }: Place, name: string): string {
  return `arn:${partitionOf(region)}:sqs:${region}:${account}:${name}`;
}

/** Place and name of a queue's ARN; undefined when it is none. */
export function readArn(arn: string): (Place & { readonly name: string }) | undefined {
  const [head, , service, region, account, name, ...more] = arn.split(":");
  if (head !== "arn" || service !== "sqs" || region === undefined || account === undefined) return undefined;
  return name === undefined || more.length > 0 ? undefined : { region, account, name };
}

/** Account and name that a queue's URL ends with; the host does not matter. */
export function readUrl(url: string): { readonly account: string; readonly name: string } {
  const [name, account] = url.split("/").toReversed();
  if (name !== undefined && account !== undefined && /^\d{12}$/.test(account) && name.length <= 80)
    return { account, name };
  throw new AwsError("InvalidAddress", `The address ${url.slice(0, 256)} is not valid for this endpoint.`, {
    status: 404,
  });
}
