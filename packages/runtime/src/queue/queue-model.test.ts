import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ManualClock } from "@gatewright/ports";
import { createQueue } from "./create-queue.ts";
import type { QueueItem } from "./queue.ts";

/** How long they waited is not modelled. */
type Given = Omit<QueueItem, "waitedMs"> | undefined;

/** The queue as one would write it without a thought for speed: lists that are searched and sorted. */
class NaiveQueue {
  now = 0;
  closed = false;
  drains = false;
  readonly given: Given[] = [];
  readonly failures = new Map<string, number>();
  readonly running: string[] = [];
  waiting: { key: string; priority: number; at: number }[] = [];
  followUps: { key: string; priority: number }[] = [];
  /** In the order of readiness. */
  ready: { key: string; priority: number }[] = [];
  /** Namespaces with ready keys, by priority, in the order of their turns. */
  readonly turns = new Map<number, string[]>();
  takers = 0;

  add(key: string, afterMs: number, priority: number): void {
    if (this.closed) return;
    const all: { key: string; priority: number; at?: number }[] = [...this.waiting, ...this.followUps, ...this.ready];
    const wanted = all.find((item) => item.key === key);
    const highest = Math.max(priority, wanted?.priority ?? priority);
    if (wanted === undefined) {
      if (afterMs > 0) this.waiting.push({ key, priority, at: this.now + afterMs });
      else this.becomeReady(key, priority);
    } else if (wanted.at !== undefined) {
      const at = this.now + Math.max(0, afterMs);
      wanted.priority = highest;
      if (afterMs <= 0 || at < wanted.at) {
        this.waiting = this.waiting.filter((item) => item.key !== key);
        if (afterMs > 0) this.waiting.push({ key, priority: highest, at });
        else this.becomeReady(key, highest);
      }
    } else if (priority > wanted.priority) {
      if (this.running.includes(key)) {
        wanted.priority = priority;
      } else {
        this.leave(key);
        this.becomeReady(key, priority);
      }
    }
    this.serve();
  }

  becomeReady(key: string, priority: number): void {
    if (this.running.includes(key)) {
      this.followUps.push({ key, priority });
      return;
    }
    this.ready.push({ key, priority });
    const namespace = key.split("/")[0]!;
    const turns = this.turns.get(priority) ?? [];
    if (!turns.includes(namespace)) turns.push(namespace);
    this.turns.set(priority, turns);
  }

  leave(key: string): void {
    const left = this.ready.find((item) => item.key === key)!;
    this.ready = this.ready.filter((item) => item !== left);
    const same = this.ready.filter((item) => item.priority === left.priority).map((item) => item.key.split("/")[0]!);
    this.turns.set(
      left.priority,
      this.turns.get(left.priority)!.filter((namespace) => same.includes(namespace)),
    );
  }

  serve(): void {
    while (this.takers > 0 && this.ready.length > 0) {
      const priority = Math.max(...this.ready.map((item) => item.priority));
      const turns = this.turns.get(priority)!;
      const namespace = turns[0]!;
      const next = this.ready.find((item) => item.priority === priority && item.key.startsWith(`${namespace}/`))!;
      this.leave(next.key);
      const rest = this.turns.get(priority)!;
      if (rest[0] === namespace) rest.push(rest.shift()!);
      this.running.push(next.key);
      this.takers--;
      this.given.push({ ...next, failures: this.failures.get(next.key) ?? 0 });
    }
    if (this.closed && this.ready.length + this.followUps.length === 0) {
      for (; this.takers > 0; this.takers--) this.given.push(undefined);
    }
  }

  advance(ms: number): void {
    const end = this.now + ms;
    for (; this.now < end; this.now++, this.serve()) {
      const due = this.waiting.filter((item) => item.at === this.now + 1);
      this.waiting = this.waiting.filter((item) => !due.includes(item));
      for (const item of due) this.becomeReady(item.key, item.priority);
    }
  }

  done(key: string): void {
    this.running.splice(this.running.indexOf(key), 1);
    const next = this.followUps.find((item) => item.key === key);
    if (next !== undefined) {
      this.followUps = this.followUps.filter((item) => item !== next);
      this.becomeReady(key, next.priority);
    }
    this.serve();
  }

  close(drain: boolean): void {
    this.closed = true;
    this.waiting = [];
    if (!drain) {
      this.ready = [];
      this.followUps = [];
      this.turns.clear();
    }
    this.serve();
  }
}

const keys = fc.tuple(fc.nat(2), fc.nat(3)).map(([namespace, name]) => `ns${namespace}/${name}`);
const priorities = fc.constantFrom(-100, 0, 0, 7);
const commands = fc.oneof(
  fc.record({
    kind: fc.constant("add"),
    key: keys,
    priority: priorities,
    afterMs: fc.constantFrom(0, 0, 0, 3, 10, 40),
  }),
  fc.record({ kind: fc.constant("take") }),
  fc.record({ kind: fc.constant("take") }),
  fc.record({ kind: fc.constant("done"), which: fc.nat(20) }),
  fc.record({ kind: fc.constant("retry"), key: keys, priority: priorities, atLeastMs: fc.constantFrom(0, 0, 60) }),
  fc.record({ kind: fc.constant("forget"), key: keys }),
  fc.record({ kind: fc.constant("advance"), ms: fc.constantFrom(1, 5, 10, 50) }),
);
const ending = fc.option(fc.record({ kind: fc.constant("close"), drain: fc.boolean() }), { nil: undefined });

type Command = typeof commands extends fc.Arbitrary<infer C> ? C : never;

test("any sequence of calls has the same effects as on a naive model", async () => {
  const script = fc.tuple(
    fc.array(commands, { maxLength: 120, size: "max" }),
    ending,
    fc.array(commands, { maxLength: 20 }),
  );
  await fc.assert(
    fc.asyncProperty(script, async ([before, close, after]) => {
      const clock = new ManualClock();
      const queue = createQueue({ clock });
      const model = new NaiveQueue();
      const given: Given[] = [];
      for (const command of [...before, ...(close === undefined ? [] : [close]), ...after]) {
        apply(command);
        await Promise.resolve();
        await Promise.resolve();
        assert.deepEqual(given, model.given);
        assert.deepEqual(queue.depth(), {
          ready: model.ready.length + model.followUps.length,
          waiting: model.waiting.length,
          running: model.running.length,
        });
        assert.equal(clock.pending, model.waiting.length > 0 ? 1 : 0);
      }

      function apply(command: Command | { kind: "close"; drain: boolean }): void {
        if ("afterMs" in command) {
          queue.add(command.key, command);
          model.add(command.key, command.afterMs, command.priority);
        } else if ("atLeastMs" in command) {
          queue.retry(command.key, command);
          const failures = model.failures.get(command.key) ?? 0;
          if (model.closed) return;
          model.failures.set(command.key, failures + 1);
          model.add(command.key, Math.max(5 * 2 ** failures, command.atLeastMs), command.priority);
        } else if ("which" in command) {
          const key = model.running[command.which % Math.max(1, model.running.length)];
          if (key === undefined) return;
          queue.done(key);
          model.done(key);
        } else if ("ms" in command) {
          clock.advance(command.ms);
          model.advance(command.ms);
        } else if ("drain" in command) {
          void queue.close(command);
          model.close(command.drain);
        } else if ("key" in command) {
          queue.forget(command.key);
          model.failures.delete(command.key);
        } else {
          void queue.take().then((item) => {
            if (item === undefined) return given.push(item);
            const { waitedMs, ...rest } = item;
            assert.ok(waitedMs >= 0);
            return given.push(rest);
          });
          model.takers++;
          model.serve();
        }
      }
    }),
    { numRuns: 400 },
  );
});
