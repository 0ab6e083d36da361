import { badRequest } from "@gatewright/kube";
import type { Entry } from "@gatewright/store";
import type { EventHistory } from "./history/event-history.ts";
import { formatEventId } from "./history/event-id.ts";
import type { HttpAnswer } from "@gatewright/runtime/serving";
import { valuesOf } from "./selection.ts";

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;
const TYPES: readonly string[] = ["ADDED", "MODIFIED", "DELETED"];

export interface EventFilter {
  readonly limit: number;
  readonly names: readonly string[];
  readonly types: readonly string[];
}

/** Reads `limit`, `name` and `type`. Throws 400 for what is none. */
export function parseEventFilter(query: URLSearchParams): EventFilter {
  const asked = query.get("limit") ?? "";
  if (!/^[0-9]{0,9}$/.test(asked) || asked === "0") {
    throw badRequest(`limit takes a number from 1 to ${MAX_LIMIT}, not ${JSON.stringify(asked)}`);
  }
  const types = valuesOf(query, "type").map((type) => type.toUpperCase());
  const unknown = types.find((type) => !TYPES.includes(type));
  if (unknown !== undefined) throw badRequest(`type is one of ${TYPES.join(", ")}, not ${JSON.stringify(unknown)}`);
  const limit = asked === "" ? DEFAULT_LIMIT : Math.min(Number(asked), MAX_LIMIT);
  return { limit, names: valuesOf(query, "name"), types };
}

/** The newest of the changes that fit, the newest last, and the id from which a watch goes on after them. */
export function listEvents(
  history: EventHistory,
  { limit, names, types }: EventFilter,
  selected: (entry: Entry) => boolean,
): HttpAnswer {
  const found: Entry[] = [];
  for (const entry of history.after(history.floor)) {
    const { name = "", type = "", initial = "" } = entry.labels ?? {};
    const fits = (names.length === 0 || names.includes(name)) && (types.length === 0 || types.includes(type));
    if (!fits || initial !== "" || !selected(entry)) continue;
    found.push(entry);
    if (found.length > 2 * limit) found.splice(0, found.length - limit);
  }
  const { epoch, position } = history;
  const id = formatEventId({ epoch, position, partial: false });
  const body: Buffer[] = [Buffer.from('{"items":[')];
  found.slice(-limit).forEach((entry, index) => body.push(index === 0 ? NOTHING : COMMA, entry.bytes));
  body.push(Buffer.from(`],"lastEventId":${JSON.stringify(id)}}\n`));
  return { status: 200, headers: { "content-type": "application/json" }, body };
}

const COMMA = Buffer.from(",\n");
const NOTHING = Buffer.alloc(0);
