/**
 * One life of a simulated process. Whatever reaches the process goes through `deliver`: a paused one gets it when it goes on, a dead
 * one never.
 */
export class Incarnation {
  readonly name: string;
  readonly identity: string;
  readonly #held: (() => void)[] = [];
  #state: "running" | "paused" | "dead" = "running";
  readonly #endings = new Set<() => void>();

  constructor(name: string, life: number) {
    this.name = name;
    this.identity = `${name}-${life}`;
  }

  get alive(): boolean {
    return this.#state !== "dead";
  }

  get paused(): boolean {
    return this.#state === "paused";
  }

  /** In order: what was held comes before what is new. */
  deliver(happen: () => void): void {
    if (this.#state === "dead") return;
    if (this.#state === "running" && this.#held.length === 0) happen();
    else this.#held.push(happen);
  }

  /** Calls back when the process dies, so that what the world holds for it is let go. Returns how to forget that. */
  onDeath(ending: () => void): () => void {
    this.#endings.add(ending);
    return () => this.#endings.delete(ending);
  }

  pause(): void {
    if (this.#state === "running") this.#state = "paused";
  }

  /** Everything held is delivered, each in a moment of its own: `schedule` makes the moments. */
  resume(schedule: (happen: () => void) => void): void {
    if (this.#state !== "paused") return;
    this.#state = "running";
    const next = (): void => {
      if (this.#state !== "running") return;
      const happen = this.#held[0];
      happen?.();
      this.#held.shift();
      if (this.#held.length > 0) schedule(next);
    };
    if (this.#held.length > 0) schedule(next);
  }

  kill(): void {
    if (this.#state === "dead") return;
    this.#state = "dead";
    this.#held.length = 0;
    for (const ending of this.#endings) ending();
    this.#endings.clear();
  }
}
