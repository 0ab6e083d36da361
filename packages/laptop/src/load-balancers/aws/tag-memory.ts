import type { Aws } from "@gatewright/aws";
import type { Tags } from "../model/model.ts";

const AT_ONCE = 20;

/**
 * Tags of load balancers and target groups, asked for once each: nobody else changes those that things are found by. What is gone is
 * forgotten when it is not asked for any more.
 */
export class TagMemory {
  readonly #aws: Aws;
  readonly #known = new Map<string, Tags>();

  constructor(aws: Aws) {
    this.#aws = aws;
  }

  /** The tags of each of these. One that went meanwhile makes it reject, as absent. */
  async of(arns: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, Tags>> {
    const unknown = arns.filter((arn) => !this.#known.has(arn));
    for (let start = 0; start < unknown.length; start += AT_ONCE) {
      const ResourceArns = unknown.slice(start, start + AT_ONCE);
      const { TagDescriptions = [] } = await this.#aws.elbv2.describeTags({ ResourceArns }, { signal });
      for (const { ResourceArn, Tags: told = [] } of TagDescriptions) {
        if (ResourceArn === undefined) continue;
        this.#known.set(ResourceArn, Object.fromEntries(told.map(({ Key, Value = "" }) => [Key, Value])));
      }
    }
    return new Map(arns.map((arn) => [arn, this.#known.get(arn) ?? {}]));
  }

  /** Forgets what is not there any more. */
  keep(kind: "loadbalancer" | "targetgroup", arns: ReadonlySet<string>): void {
    for (const arn of this.#known.keys()) {
      if (arn.includes(`:${kind}/`) && !arns.has(arn)) this.#known.delete(arn);
    }
  }

  /** To be told when tags were changed. */
  forget(arn: string): void {
    this.#known.delete(arn);
  }
}
