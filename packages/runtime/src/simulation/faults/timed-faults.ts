import type { Dice } from "../dice.ts";
import type { Call } from "../network/call.ts";
import type { ProcessSlot } from "../process/process-slot.ts";
import type { Timeline } from "../time/timeline.ts";
import type { Trace } from "../trace/trace.ts";
import type { SystemTimedFaultKind, TimedFaultKind } from "./fault-kind.ts";
import type { TimedFault } from "./fault-plan.ts";

interface TimedSurroundings {
  readonly timeline: Timeline;
  readonly dice: Dice;
  readonly trace: Trace;
  /** Whether there are systems beside the server. */
  readonly systems: boolean;
  /** The newest revision of the server. */
  revision(): number;
  readonly onFault: (kind: TimedFaultKind | SystemTimedFaultKind) => void;
}

/** How many of the calls of work a pause that waits for one begins at. */
const LURKS_AT = 0.2;
/** Such a pause outlasts a lease: a shorter one does no more than a slow reply. */
const LEASE_MS = 15_000;

/** What keeps a process from being served by other systems: its calls do not get there, or are refused, all of them or reads alone. */
export type Ban = "cut-off" | "denied" | "blind";

const BANS = {
  "system-partition": "cut-off",
  "system-denied": "denied",
  "system-blind": "blind",
} as const satisfies Record<SystemTimedFaultKind, Ban>;

/** Faults that begin at a time: what they do to processes, and which of them last at this moment. */
export class TimedFaults {
  readonly #around: TimedSurroundings;
  readonly #partitions = new Map<string, "lease" | "all">();
  readonly #bans = new Map<string, Ban>();
  readonly #paused = new Set<ProcessSlot>();
  /**
   * Pauses that wait for their process to ask for something: between a request and its reply they hurt most. It renews its lease, or
   * works: then what the reply leads to is done when the lease has ended.
   */
  readonly #lurking = new Map<string, { readonly at: "lease" | "work"; readonly pause: () => void }>();
  #replica: { readonly revision: number; readonly until: number } | undefined;

  constructor(around: TimedSurroundings) {
    this.#around = around;
  }

  begin({ kind, lastsMs }: TimedFault, slot: ProcessSlot): void {
    const { timeline, dice, trace, onFault } = this.#around;
    if (kind !== "stale-replica" && slot.life === undefined) return;
    trace.tell("world", `${kind} of ${slot.name} for ${Math.round(lastsMs)} ms`);
    if (kind !== "stale-replica") onFault(kind);
    switch (kind) {
      case "kill":
        return slot.kill();
      case "stop":
        return slot.stop();
      case "pause":
        if (dice.chance(0.5)) {
          const at = this.#around.systems && dice.chance(0.5) ? "work" : "lease";
          const ms = at === "work" ? LEASE_MS + lastsMs : lastsMs;
          this.#lurking.set(slot.name, { at, pause: () => this.#pause(slot, ms) });
        } else this.#pause(slot, lastsMs);
        return;
      case "clock-jump":
        slot.skew.offsetMs += dice.pick([-1, 1]) * dice.pick([1_000, 60_000, 3_600_000, 10 * 365 * 86_400_000]);
        return;
      case "lease-partition":
      case "partition":
        this.#partitions.set(slot.name, kind === "partition" ? "all" : "lease");
        timeline.timer(lastsMs, () => this.#partitions.delete(slot.name));
        return;
      case "system-denied":
      case "system-blind":
      case "system-partition":
        this.#bans.set(slot.name, BANS[kind]);
        timeline.timer(lastsMs, () => this.#bans.delete(slot.name));
        return;
      case "stale-replica":
        this.#replica = { revision: this.#around.revision(), until: timeline.monotonic() + lastsMs };
    }
  }

  /** A process has sent a call to the server. */
  sent(process: string, { lease, writes }: Call): void {
    if (!writes) return;
    if (lease) this.#spring(process, "lease");
    else this.worked(process);
  }

  /** A process has sent a call to another system, or a write that is not of its lease. */
  worked(process: string): void {
    if (this.#lurking.get(process)?.at === "work" && this.#around.dice.chance(LURKS_AT)) this.#spring(process, "work");
  }

  #spring(process: string, at: "lease" | "work"): void {
    const lurking = this.#lurking.get(process);
    if (lurking?.at !== at) return;
    this.#lurking.delete(process);
    lurking.pause();
  }

  cutOff(process: string, call: Call): boolean {
    const partition = this.#partitions.get(process);
    return partition === "all" || (partition === "lease" && call.lease);
  }

  ban(process: string): Ban | undefined {
    return this.#bans.get(process);
  }

  /** The replica that stands still now, if one does. */
  replica(): { readonly revision: number; readonly until: number } | undefined {
    if (this.#replica !== undefined && this.#replica.until <= this.#around.timeline.monotonic())
      this.#replica = undefined;
    return this.#replica;
  }

  /** All of them end now. */
  end(): void {
    this.#partitions.clear();
    this.#bans.clear();
    this.#replica = undefined;
    this.#lurking.clear();
    for (const slot of this.#paused) this.#resume(slot);
  }

  #pause(slot: ProcessSlot, lastsMs: number): void {
    const { timeline, trace } = this.#around;
    if (slot.life === undefined) return;
    trace.tell(slot.life.identity, "stands still");
    slot.life.pause();
    this.#paused.add(slot);
    timeline.timer(lastsMs, () => this.#resume(slot));
  }

  #resume(slot: ProcessSlot): void {
    this.#paused.delete(slot);
    const { timeline, trace } = this.#around;
    if (slot.life?.paused !== true) return;
    trace.tell(slot.life.identity, "goes on");
    slot.life.resume((happen) => void timeline.timer(0, happen));
  }
}
