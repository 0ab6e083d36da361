import type { Source } from "../exchange/body.ts";
import type { Client, Exchange, RequestHead } from "../exchange/exchange.ts";
import type { CompiledRoute } from "../routes/compiled-route.ts";
import type { PathMatch } from "../table/match-row.ts";
import type { MatchedRoute } from "../table/route-table.ts";
import type { Call, Identity } from "./call.ts";

/** A call while it is under way. */
export class LiveCall implements Call {
  readonly exchange: Exchange;
  readonly head: RequestHead;
  body: Source | undefined;
  readonly client: Client;
  readonly listener: string;
  readonly route: CompiledRoute;
  readonly path: string;
  readonly query: string;
  readonly matched: PathMatch;
  readonly parameters: ReadonlyMap<string, string>;
  readonly clientAddress: string;
  readonly isGrpc: boolean;
  readonly startedAt: number;
  identity: Identity | undefined = undefined;
  readonly trail = { backend: "", endpoint: "", attempts: 0, flag: "" };
  /** The last filter that was asked: those up to it see the answer. */
  reached = -1;
  /** An answer is on its way: later ones come too late. */
  answered = false;
  /** Most calls have one listener. */
  #listener: ((reason: Error) => void) | undefined;
  #more: ((reason: Error) => void)[] | undefined;
  #aborted: Error | undefined;

  constructor(
    exchange: Exchange,
    { route, path, parameters }: MatchedRoute,
    target: { readonly path: string; readonly query: string },
    about: { readonly clientAddress: string; readonly isGrpc: boolean; readonly startedAt: number },
  ) {
    this.exchange = exchange;
    this.head = exchange.head;
    this.body = exchange.body;
    this.client = exchange.client;
    this.listener = exchange.listener;
    this.route = route;
    this.matched = path;
    this.parameters = parameters;
    this.path = target.path;
    this.query = target.query;
    this.clientAddress = about.clientAddress;
    this.isGrpc = about.isGrpc;
    this.startedAt = about.startedAt;
  }

  onAbort(listener: (reason: Error) => void): void {
    if (this.#aborted !== undefined) listener(this.#aborted);
    else if (this.#listener === undefined) this.#listener = listener;
    else (this.#more ??= []).push(listener);
  }

  abort(reason: Error): void {
    if (this.#aborted !== undefined) return;
    this.#aborted = reason;
    const more = this.#more;
    this.#more = undefined;
    this.#listener?.(reason);
    for (const listener of more ?? []) listener(reason);
  }
}
