import type { KubeObject } from "@gatewright/kube";

/**
 * Which mutating webhooks run a second time for one request. A webhook that asks for it (`IfNeeded`) does when something
 * changed the object after it; there is one second round and no third.
 */
export class Reinvocation {
  #round: 1 | 2 = 1;
  #changed = false;
  readonly #ran = new Set<string>();
  readonly #again = new Set<string>();
  #lastOutput: KubeObject | undefined;

  /** Whether a webhook changed the object, so that everything before it should see the change. */
  get needed(): boolean {
    return this.#changed;
  }

  beginSecondRound(): void {
    this.#round = 2;
  }

  /** Before the webhooks of a round: other plugins may have changed the object since the last one. */
  enter(same: (output: KubeObject | undefined) => boolean): void {
    if (this.#round === 2 && !same(this.#lastOutput)) this.#requireAgain();
  }

  /** After the webhooks of a round, with a copy of what they made. */
  leave(output: KubeObject | undefined): void {
    this.#lastOutput = output;
  }

  /** In the second round only webhooks run that ran before and have something new to see. */
  allows(webhook: string): boolean {
    return this.#round === 1 || this.#again.has(webhook);
  }

  ran(webhook: { readonly id: string; readonly reinvoke: boolean }, changed: boolean): void {
    if (changed) {
      this.#changed = true;
      this.#requireAgain();
    }
    if (webhook.reinvoke) this.#ran.add(webhook.id);
  }

  #requireAgain(): void {
    for (const webhook of this.#ran) this.#again.add(webhook);
    this.#ran.clear();
  }
}
