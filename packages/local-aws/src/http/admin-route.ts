import type { WireRequest, WireResponse } from "@gatewright/aws-wire";
import type { CallJournal } from "../call-journal.ts";

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;
const FIELDS = ["account", "region", "service", "operation", "code", "resource"] as const;

/**
 * What people and tests ask the local AWS itself: `/_health`, `/_metrics`, `/_journal`. Undefined when it is none of that. Asked
 * under another name than this machine's own, it refuses: a web page could otherwise read along by way of a name of its own.
 */
export function adminRoute(request: WireRequest, journal: CallJournal): WireResponse | undefined {
  const [path, query = ""] = request.path.split("?");
  if (path === undefined || !/^\/_(?:health|metrics|journal)$/.test(path)) return undefined;
  if (!LOOPBACK.test(request.headers["host"] ?? "")) return json(403, { error: "ask under the name of this machine" });
  const reads = request.method === "GET" || request.method === "HEAD";
  if (path === "/_health" && reads) return json(200, { status: "ok" });
  if (path === "/_metrics" && reads) {
    return {
      status: 200,
      headers: { "content-type": "text/plain; version=0.0.4" },
      body: Buffer.from(journal.metrics()),
    };
  }
  if (path === "/_journal" && reads) return json(200, journalPage(journal, new URLSearchParams(query)));
  if (path === "/_journal" && request.method === "DELETE") {
    journal.clear();
    return { status: 204, headers: {}, body: new Uint8Array(0) };
  }
  return json(405, { error: "GET, or DELETE of the journal" });
}

function journalPage(journal: CallJournal, query: URLSearchParams): object {
  const wanted = FIELDS.flatMap((field): [string, string][] => {
    const value = query.get(field);
    return value === null ? [] : [[field, value]];
  });
  const calls = journal.calls(Object.fromEntries(wanted));
  const counts = new Map<string, number>();
  for (const { service, operation } of calls) {
    const name = `${service}:${operation}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const limit = Number(query.get("limit") ?? 1000);
  const shown = Number.isSafeInteger(limit) && limit >= 0 ? calls.slice(Math.max(0, calls.length - limit)) : calls;
  return { total: calls.length, forgotten: journal.forgotten, counts: Object.fromEntries(counts), calls: shown };
}

function json(status: number, value: object): WireResponse {
  return { status, headers: { "content-type": "application/json" }, body: Buffer.from(`${JSON.stringify(value)}\n`) };
}
