import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { eventRows } from "../model/event-row.ts";
import { EventList } from "../parts/event-list.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { StandingNotes } from "../parts/standing-notes.tsx";
import { objectsOf, useKind } from "../state/session.ts";
import { EVENTS } from "./kinds-shown.ts";

const MOST = 300;

/** What happened, as it happens. */
export function EventsPage(): JSX.Element {
  const [only, setOnly] = useState<"all" | "warnings">("all");
  const [text, setText] = useState("");
  const known = useKind(EVENTS);
  const wanted = text.trim().toLowerCase();
  const rows = eventRows(objectsOf(known)).filter(
    ({ isWarning, reason, message, regarding }) =>
      (only === "all" || isWarning) &&
      (wanted === "" ||
        `${reason} ${message} ${regarding.kind} ${regarding.namespace} ${regarding.name}`
          .toLowerCase()
          .includes(wanted)),
  );
  return (
    <>
      <PageHead title="Events" about="What happened, newest first.">
        <input
          class="input"
          type="search"
          aria-label="Filter events"
          placeholder="Filter"
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <select
          class="input"
          aria-label="Which events"
          value={only}
          onChange={({ currentTarget }) => setOnly(currentTarget.value === "warnings" ? "warnings" : "all")}
        >
          <option value="all">All events</option>
          <option value="warnings">Warnings</option>
        </select>
      </PageHead>
      <div class="stack">
        <StandingNotes ids={[EVENTS]} />
        <p class="faint" role="status">
          {rows.length > MOST ? `The newest ${MOST} of ${rows.length}` : `${rows.length} events`}
        </p>
        {rows.length > 0 && <EventList rows={rows.slice(0, MOST)} about />}
      </div>
    </>
  );
}
