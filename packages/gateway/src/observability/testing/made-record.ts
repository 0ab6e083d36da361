import { Fields } from "../../exchange/fields.ts";
import type { Call } from "../../pipeline/call.ts";
import type { CallRecord } from "../../pipeline/observer.ts";

/** What a record is made of, where it matters. */
export interface RecordParts extends Partial<Omit<CallRecord, "exchange" | "call">> {
  readonly method?: string;
  readonly target?: string;
  readonly host?: string;
  readonly fields?: Readonly<Record<string, string>>;
  /** Undefined: no route took it. */
  readonly route?: string;
}

/** How a request went, as the pipeline tells it. */
export function madeRecord(parts: RecordParts = {}): CallRecord {
  const { method = "GET", target = "/", host = "a.example.com", fields = {}, route, ...rest } = parts;
  const head = {
    method,
    scheme: "http" as const,
    authority: host,
    target,
    version: "1.1" as const,
    fields: new Fields(Object.entries(fields).flat()),
    upgrade: undefined,
  };
  const client = { address: "10.0.0.1", port: 1, tls: undefined };
  const exchange = {
    head,
    body: undefined,
    client,
    listener: "http",
    send: () => Promise.resolve({ bytes: 0, failure: undefined }),
    onGone() {},
  };
  const call = {
    head,
    client,
    route: { id: route },
    clientAddress: "203.0.113.9",
    identity: undefined,
    trail: { backend: "Backend default/b", endpoint: "10.0.0.7:80", attempts: 1, flag: "" },
  } as unknown as Call;
  return {
    exchange,
    call: route === undefined ? undefined : call,
    status: 200,
    origin: undefined,
    sentBytes: 10,
    failure: undefined,
    tookMs: 1.5,
    ...rest,
  };
}
