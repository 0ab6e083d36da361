import type { EventHistory } from "../history/event-history.ts";
import { parseEventId } from "../history/event-id.ts";
import type { ResetReason } from "./frames.ts";

/** Where a reader begins: after a place that the history reaches, or with the present state, told why where it expected more. */
export type Start =
  | { readonly type: "resume"; readonly position: number }
  | { readonly type: "present"; readonly reset: ResetReason | undefined };

/** Where the id that a reader brings leads. */
export function startFrom(history: Pick<EventHistory, "epoch" | "position" | "floor">, lastEventId: string): Start {
  if (lastEventId === "") return { type: "present", reset: undefined };
  const id = parseEventId(lastEventId);
  if (id?.epoch !== history.epoch || id.position > history.position) return { type: "present", reset: "Unknown" };
  if (id.partial) return { type: "present", reset: "Incomplete" };
  if (id.position < history.floor) return { type: "present", reset: "Expired" };
  return { type: "resume", position: id.position };
}
