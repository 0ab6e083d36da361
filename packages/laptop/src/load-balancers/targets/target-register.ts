import type { Aws } from "@gatewright/aws";
import type { Target } from "./wanted-targets.ts";

const AT_ONCE = 200;

/**
 * Who is registered in target groups. Remembers it, so that a pod that comes or goes is one call; after any trouble it asks AWS. One
 * group must not be changed twice at once.
 */
export class TargetRegister {
  readonly #aws: Aws;
  readonly #known = new Map<string, ReadonlyMap<string, Target>>();

  constructor(aws: Aws) {
    this.#aws = aws;
  }

  /** Makes these the targets of a group. New ones come before old ones go; those that go may finish what they do. */
  async set(group: string, targets: readonly Target[], signal: AbortSignal): Promise<void> {
    const wanted = byKey(targets);
    const registered = this.#known.get(group) ?? (await this.#registered(group, signal));
    // Nothing is known until all is done: a call without an answer may have been made.
    this.#known.delete(group);
    const coming = [...wanted].flatMap(([key, target]) => (registered.has(key) ? [] : [target]));
    const going = [...registered].flatMap(([key, target]) => (wanted.has(key) ? [] : [target]));
    for (const Targets of chunks(coming)) {
      await this.#aws.elbv2.registerTargets({ TargetGroupArn: group, Targets }, { signal });
    }
    for (const Targets of chunks(going)) {
      await this.#aws.elbv2.deregisterTargets({ TargetGroupArn: group, Targets }, { signal });
    }
    this.#known.set(group, wanted);
  }

  forget(group: string): void {
    this.#known.delete(group);
  }

  async #registered(group: string, signal: AbortSignal): Promise<ReadonlyMap<string, Target>> {
    const { TargetHealthDescriptions = [] } = await this.#aws.elbv2.describeTargetHealth(
      { TargetGroupArn: group },
      { signal },
    );
    return byKey(
      TargetHealthDescriptions.flatMap(({ Target: target, TargetHealth }) =>
        target?.Port === undefined || TargetHealth?.State === "draining" ? [] : [{ id: target.Id, port: target.Port }],
      ),
    );
  }
}

function byKey(targets: readonly Target[]): ReadonlyMap<string, Target> {
  return new Map(targets.map((target) => [`${target.id}:${target.port}`, target]));
}

function chunks(targets: readonly Target[]): readonly (readonly { readonly Id: string; readonly Port: number }[])[] {
  const all = targets.map(({ id, port }) => ({ Id: id, Port: port }));
  return Array.from({ length: Math.ceil(all.length / AT_ONCE) }, (_, index) =>
    all.slice(index * AT_ONCE, (index + 1) * AT_ONCE),
  );
}
