import type { Entry } from "@gatewright/store";
import type { RecordLabels } from "../history/change-record.ts";
import { formatEventId } from "../history/event-id.ts";
import type { EventId } from "../history/event-id.ts";

/** Why a reader gets the present state instead of what it missed. */
export type ResetReason = "Expired" | "Unknown" | "Incomplete";

const RESETS: Readonly<Record<ResetReason, string>> = {
  Expired: "the changes after this id are no longer kept; what follows is the present state",
  Unknown: "this id is of another history; what follows is the present state",
  Incomplete: "the present state had not been sent whole; what follows is the present state",
};

/** How long a client should wait before it connects again. */
const RETRY_MS = 2_000;

export const HEAD = Buffer.from(`retry: ${RETRY_MS}\n\n`);
export const HEARTBEAT = Buffer.from(": still here\n\n");

const frames = new WeakMap<Entry, Buffer>();

/** A change, framed once for all readers. */
export function changeFrame(epoch: string, position: number, entry: Entry): Buffer {
  let frame = frames.get(entry);
  if (frame === undefined) {
    frame = framed({ epoch, position, partial: false }, typeOf(entry), entry.bytes);
    frames.set(entry, frame);
  }
  return frame;
}

/** An object of the present state. Its id says that the state is not whole yet. */
export function presentFrame(epoch: string, position: number, entry: Entry): Buffer {
  return framed({ epoch, position, partial: true }, typeOf(entry), entry.bytes);
}

/** How far the reader has got, when no change says it. */
export function bookmarkFrame(epoch: string, position: number): Buffer {
  return framed({ epoch, position, partial: false }, "BOOKMARK", Buffer.from('{"type":"BOOKMARK"}'));
}

/** Tells a reader to forget what it knows: the present state follows. */
export function resetFrame(epoch: string, position: number, reason: ResetReason): Buffer {
  const data = JSON.stringify({ type: "RESET", reason, message: RESETS[reason] });
  return framed({ epoch, position, partial: true }, "RESET", Buffer.from(data));
}

function typeOf(entry: Entry): string {
  return ((entry.labels ?? {}) as Partial<RecordLabels>).type ?? "MODIFIED";
}

/** JSON has no line ends of its own, so the data is one line. */
function framed(id: EventId, event: string, data: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`id: ${formatEventId(id)}\nevent: ${event}\ndata: `), data, Buffer.from("\n\n")]);
}
