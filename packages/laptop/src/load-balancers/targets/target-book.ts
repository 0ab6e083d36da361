import { keyOf, refOf } from "@gatewright/kube";
import type { ObjectKey, ObjectRef } from "@gatewright/kube";
import { aborted } from "@gatewright/ports";
import type { Source } from "@gatewright/runtime";
import type { TargetBinding } from "../model/model.ts";

/** A target group, and whose targets it has. */
export interface BoundGroup {
  readonly arn: string;
  readonly binding: TargetBinding;
}

/**
 * Which target groups have the targets of which Service: written by who makes groups, read by who fills them. Changes of pods so
 * lead to their groups and to nothing else.
 */
export class TargetBook {
  readonly #byStack = new Map<string, readonly BoundGroup[]>();
  readonly #waiting = new Set<ObjectKey>();
  #enqueue: ((ref: ObjectRef) => void) | undefined;

  /** The groups of a Gateway, all of them. Services whose groups changed are looked at. */
  bind(stack: string, groups: readonly BoundGroup[]): void {
    const before = new Set((this.#byStack.get(stack) ?? []).map(textOf));
    if (groups.length > 0) this.#byStack.set(stack, groups);
    else this.#byStack.delete(stack);
    for (const group of groups) if (!before.has(textOf(group))) this.#wake(group.binding.service);
  }

  has(stack: string): boolean {
    return this.#byStack.has(stack);
  }

  of(service: ObjectRef): readonly BoundGroup[] {
    const key = keyOf(service);
    return [...this.#byStack.values()].flat().filter(({ binding }) => keyOf(binding.service) === key);
  }

  /** The Services whose targets are nodes. */
  servicesOnNodes(): readonly ObjectRef[] {
    const all = [...this.#byStack.values()].flat().filter(({ binding }) => binding.targetType === "instance");
    return [...new Set(all.map(({ binding }) => keyOf(binding.service)))].map(refOf);
  }

  /** Tells of Services whose groups changed, those before it began included. */
  readonly source: Source = async (enqueue, signal) => {
    this.#enqueue = enqueue;
    for (const key of this.#waiting) enqueue(refOf(key));
    this.#waiting.clear();
    await aborted(signal);
    this.#enqueue = undefined;
  };

  #wake(service: ObjectRef): void {
    if (this.#enqueue === undefined) this.#waiting.add(keyOf(service));
    else this.#enqueue(service);
  }
}

function textOf(group: BoundGroup): string {
  return JSON.stringify([group.arn, group.binding]);
}
