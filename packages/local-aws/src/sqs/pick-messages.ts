import type { MessageRecord } from "./records.ts";

/** How to pick. */
export interface Picking {
  readonly now: number;
  readonly most: number;
  readonly fifo: boolean;
  /** Messages that were received so often are picked no more: they are dead. */
  readonly deadAfter: number | undefined;
  readonly isOver: (message: MessageRecord) => boolean;
}

/** What a receive finds. */
export interface Picked {
  readonly messages: readonly MessageRecord[];
  readonly dead: readonly MessageRecord[];
  /** Kept for long enough. */
  readonly over: readonly MessageRecord[];
  /** How many were passed over because somebody has them. */
  readonly inFlight: number;
  /** When the next one may be had; undefined when none is hidden. */
  readonly nextDue: number | undefined;
}

/**
 * Picks messages in their order. In a FIFO queue no message of a group is picked while somebody has one of the group, nor before
 * those of the group that came earlier.
 */
export function pickMessages(all: Iterable<readonly [string, MessageRecord]>, how: Picking): Picked {
  const { now, most, fifo, deadAfter, isOver } = how;
  const found = fifo ? [...all] : all;
  const blocked = new Set<string | undefined>();
  if (fifo)
    for (const [, message] of found) if (isInFlight(message, now) && !isOver(message)) blocked.add(message.group);
  const messages: MessageRecord[] = [];
  const dead: MessageRecord[] = [];
  const over: MessageRecord[] = [];
  let inFlight = 0;
  let nextDue: number | undefined;
  for (const [, message] of found) {
    if (messages.length >= most) break;
    if (isOver(message)) over.push(message);
    else if (message.hiddenUntil > now) {
      nextDue = Math.min(nextDue ?? message.hiddenUntil, message.hiddenUntil);
      if (isInFlight(message, now)) inFlight++;
      if (fifo) blocked.add(message.group);
    } else if (fifo && blocked.has(message.group)) continue;
    else if (deadAfter !== undefined && message.receives >= deadAfter) dead.push(message);
    else messages.push(message);
  }
  return { messages, dead, over, inFlight, nextDue };
}

/** Whether somebody has received it and may still be at it. */
export function isInFlight({ receipt, hiddenUntil }: MessageRecord, now: number): boolean {
  return receipt !== undefined && hiddenUntil > now;
}
