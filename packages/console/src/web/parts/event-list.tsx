import type { JSX } from "preact";
import type { EventRow } from "../model/event-row.ts";
import { Age } from "./clock.tsx";
import { SubjectLink } from "./object-link.tsx";
import { StateBadge } from "./state-badge.tsx";

/** Events, newest first. `about`: whether it is said what they are about. */
export function EventList({
  rows,
  about,
}: {
  readonly rows: readonly EventRow[];
  readonly about: boolean;
}): JSX.Element {
  return (
    <div class="card table-scroll">
      <table>
        <caption class="hidden">Events, newest first</caption>
        <thead>
          <tr>
            <th scope="col">Last seen</th>
            <th scope="col">Type</th>
            <th scope="col">Reason</th>
            {about && <th scope="col">About</th>}
            <th scope="col">Message</th>
            <th scope="col">By</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.key}>
              <td>
                <Age since={row.at} />
                {row.count > 1 && <span class="faint"> ×{row.count}</span>}
              </td>
              <td>
                <StateBadge state={row.isWarning ? "warning" : "ok"} word={row.isWarning ? "Warning" : "Normal"} />
              </td>
              <td class="mono">{row.reason}</td>
              {about && (
                <td>
                  <SubjectLink subject={row.regarding}>
                    {row.regarding.kind} {row.regarding.name}
                  </SubjectLink>
                  <div class="faint">{row.regarding.namespace}</div>
                </td>
              )}
              <td>
                <div class="why">{row.message}</div>
              </td>
              <td class="faint nowrap">{row.reporter}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
