import { ManualClock, seededRandom } from "@gatewright/ports";
import type { Answer } from "../../exchange/answer.ts";
import { bytesSource, collect } from "../../exchange/bodies.ts";
import type { Source } from "../../exchange/body.ts";
import { Fields } from "../../exchange/fields.ts";
import { StateKeeper } from "../../kept/state-keeper.ts";
import type { Call, Identity } from "../../pipeline/call.ts";
import type { Filter } from "../../pipeline/filter.ts";
import type { CompiledRoute } from "../../routes/compiled-route.ts";
import type { PathMatch } from "../../table/match-row.ts";
import type { Around, Note } from "../around.ts";

/** What a call of a test is like; the rest is a plain GET. */
export interface CallParts {
  readonly method?: string;
  readonly scheme?: "http" | "https";
  readonly authority?: string;
  readonly target?: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | Source;
  readonly matched?: PathMatch;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly clientAddress?: string;
  readonly identity?: Identity;
  readonly isGrpc?: boolean;
  /** The kind of its route. Default: APIRoute. */
  readonly kind?: CompiledRoute["kind"];
  /** Filters of its route, for filters that ask the rest of it. */
  readonly filters?: readonly Filter[];
  readonly act?: (call: Call) => Answer | Promise<Answer>;
}

/** A call as filters see it. `abort` makes its client go away. */
export function madeCall(parts: CallParts = {}): Call & { abort(reason: Error): void } {
  const target = parts.target ?? "/";
  const [path = "", ...rest] = target.split("?");
  const listeners: ((reason: Error) => void)[] = [];
  return {
    head: {
      method: parts.method ?? "GET",
      scheme: parts.scheme ?? "http",
      authority: parts.authority ?? "example.com",
      target,
      version: "1.1",
      fields: new Fields(Object.entries(parts.fields ?? {}).flat()),
      upgrade: undefined,
    },
    body: sourceOf(parts.body),
    client: { address: "192.0.2.7", port: 5000, tls: undefined },
    listener: "http",
    route: {
      id: `${parts.kind ?? "APIRoute"} default/hello`,
      kind: parts.kind ?? "APIRoute",
      namespace: "default",
      name: "hello",
      filters: parts.filters ?? [],
      timeoutMs: undefined,
      act: parts.act ?? (() => madeAnswer()),
    },
    path,
    query: rest.join("?"),
    matched: parts.matched ?? { type: "prefix", value: "/" },
    parameters: new Map(Object.entries(parts.parameters ?? {})),
    clientAddress: parts.clientAddress ?? "192.0.2.7",
    isGrpc: parts.isGrpc ?? false,
    startedAt: 0,
    identity: parts.identity,
    trail: { backend: "", endpoint: "", attempts: 0, flag: "" },
    onAbort: (listener) => void listeners.push(listener),
    abort: (reason) => listeners.forEach((listener) => listener(reason)),
  };
}

function sourceOf(body: string | Buffer | Source | undefined): Source | undefined {
  if (body === undefined) return undefined;
  return typeof body === "string" || Buffer.isBuffer(body) ? bytesSource(Buffer.from(body)) : body;
}

/** An answer of a backend. */
export function madeAnswer(
  body?: string | Buffer | Source,
  fields: Readonly<Record<string, string>> = {},
  status = 200,
): Answer {
  return { status, fields: new Fields(Object.entries(fields).flat()), body: sourceOf(body) };
}

/** The whole body as text. */
export async function textOf(source: Source | undefined): Promise<string> {
  return source === undefined ? "" : (await bytesOf(source)).toString();
}

/** The whole body. */
export async function bytesOf(source: Source): Promise<Buffer> {
  const got = await collect(source, 64 * 1024 * 1024);
  if (got === "too-large") throw new Error("the body is too large for a test");
  return got.bytes;
}

/** What filters are made with, with a clock that stands still, and everything that was noted. */
export function madeAround(): Around & { readonly clock: ManualClock; readonly notes: Note[] } {
  const notes: Note[] = [];
  return {
    clock: new ManualClock(),
    random: seededRandom(1),
    kept: new StateKeeper().keeping().state,
    routeId: "APIRoute default/hello",
    note: (finding) => void notes.push(finding),
    notes,
  };
}
