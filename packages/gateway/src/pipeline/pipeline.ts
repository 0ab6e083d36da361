import type { Clock } from "@gatewright/ports";
import type { Answer } from "../exchange/answer.ts";
import { hostOf } from "../exchange/authority.ts";
import type { Source } from "../exchange/body.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { Fields } from "../exchange/fields.ts";
import { localAnswer } from "../exchange/local-answer.ts";
import type { MatchedRoute, Question, RouteTable } from "../table/route-table.ts";
import { clientBehind, writeForwarded } from "./forwarded.ts";
import type { TrustedProxies } from "./forwarded.ts";
import { matchByOperation } from "./graphql-match.ts";
import type { OperationMatched } from "./graphql-match.ts";
import { LiveCall } from "./live-call.ts";
import type { Observer } from "./observer.ts";
import { Passage } from "./passage.ts";
import { Sending } from "./sending.ts";

/** What the pipeline works with. */
export interface PipelineParts {
  readonly clock: Clock;
  readonly observer: Observer;
  readonly proxies: TrustedProxies;
  /** The table of the moment; a request keeps the one that it began with. */
  lease(): TableLease;
  /** Whether the first whole configuration has come: until then, requests without a route may be tried again. Default: it has. */
  configured?(): boolean;
  /** By listener, whether a host is served there. Undefined, or a listener that is not named: all are. */
  servedHosts?(): ReadonlyMap<string, (host: string) => boolean> | undefined;
}

/** A table in use: `release` when a request that began with it is over. */
export interface TableLease {
  readonly table: RouteTable;
  release(): void;
}

/** What is done with every request: match, filters, action, filters back, send. A promise is awaited only where there is one. */
export class Pipeline {
  readonly #parts: PipelineParts;

  constructor(parts: PipelineParts) {
    this.#parts = parts;
  }

  /** Answers an exchange, sooner or later. Never throws. */
  handle(exchange: Exchange): void {
    const startedAt = this.#parts.clock.monotonic();
    const lease = this.#parts.lease();
    const { head } = exchange;
    const cut = head.target.indexOf("?");
    const path = cut === -1 ? head.target : head.target.slice(0, cut);
    const query = cut === -1 ? "" : head.target.slice(cut + 1);
    const isGrpc = head.fields.get("content-type")?.startsWith("application/grpc") ?? false;
    const question = { head, path, query, isGrpc };
    const isServed = this.#parts.servedHosts?.()?.get(exchange.listener);
    if (isServed !== undefined && !isServed(hostOf(head.authority))) {
      this.#answer(exchange, question, startedAt, lease, hostNotServed(exchange));
      return;
    }
    let matched: MatchedRoute | undefined;
    try {
      matched = lease.table.match(question);
      if (matched?.needsOperation === true) {
        const found = matchByOperation(lease.table, question, exchange.body);
        if (found instanceof Promise) {
          this.#later(found, exchange, question, startedAt, lease);
          return;
        }
        ({ matched } = found);
      }
    } catch (error) {
      this.#parts.observer.fault("match", error);
    }
    this.#go(exchange, matched, exchange.body, question, startedAt, lease);
  }

  /** A route, or none, was found: begins with it. */
  #go(
    exchange: Exchange,
    matched: MatchedRoute | undefined,
    body: Source | undefined,
    question: Question,
    startedAt: number,
    lease: TableLease,
  ): void {
    if (matched === undefined) {
      this.#answer(exchange, question, startedAt, lease, this.#noRoute());
      return;
    }
    const { proxies } = this.#parts;
    const { head, client } = exchange;
    const { isGrpc } = question;
    const trusted = proxies.trusts(client.address);
    const clientAddress = trusted ? clientBehind(client.address, head.fields, proxies) : client.address;
    const call = new LiveCall(exchange, matched, question, { clientAddress, isGrpc, startedAt });
    call.body = body;
    writeForwarded(head.fields, client.address, head.scheme, head.authority, trusted);
    new Passage(call, this.#parts, lease).begin();
  }

  /** The route depends on what is in the body. */
  #later(
    found: Promise<OperationMatched | "too-large">,
    exchange: Exchange,
    question: Question,
    startedAt: number,
    lease: TableLease,
  ): void {
    found.then(
      (result) => {
        if (result === "too-large") {
          const answer = localAnswer(413, "body_too_large", "the body of the request is too large");
          this.#answer(exchange, question, startedAt, lease, answer);
        } else this.#go(exchange, result.matched, result.body, question, startedAt, lease);
      },
      () => {
        const answer = localAnswer(400, "body_broken_off", "the body of the request broke off");
        this.#answer(exchange, question, startedAt, lease, answer);
      },
    );
  }

  #noRoute(): Answer {
    if (this.#parts.configured?.() !== false) return localAnswer(404, "no_route", "no route for this request");
    const fields = new Fields(["retry-after", "1"]);
    return localAnswer(503, "not_configured", "the gateway waits for its configuration", fields);
  }

  /** Answers what no route takes. */
  #answer(exchange: Exchange, { isGrpc }: Question, startedAt: number, lease: TableLease, answer: Answer): void {
    new Sending(this.#parts, lease, { exchange, call: undefined, isGrpc, startedAt }, undefined).begin(answer);
  }
}

/** Clients of TLS may have taken a connection for another host than it is for: they are told to take a new one. */
function hostNotServed({ client }: Exchange): Answer {
  const status = client.tls === undefined ? 404 : 421;
  return localAnswer(status, "host_not_served", "this host is not served here");
}
