import type { operatorApi } from "@gatewright/gateway-wire";
import type { Clock } from "@gatewright/ports";
import { linkSignals } from "@gatewright/ports";
import type { ChangePace } from "../distribution/change-pace.ts";
import type { Connection, Remark } from "../distribution/connected-gateway.ts";
import { followChanges } from "../distribution/follow-changes.ts";
import type { FollowedBatch } from "../distribution/follow-changes.ts";
import type { Catalogue } from "../model/catalogue.ts";
import type { Deliverable } from "../model/deliverable.ts";
import type { DeliveryStart } from "./delivery-start.ts";
import { openingOf } from "./delivery-start.ts";
import type { DialectView } from "./dialect-view.ts";
import { isSendable } from "./dialect-view.ts";
import { OutgoingUpdates } from "./outgoing-updates.ts";
import type { SendUpdate } from "./outgoing-updates.ts";
import { saidOf } from "./said-of-updates.ts";
import { StreamEndError } from "./stream-end-error.ts";
import type { Turns } from "./turns.ts";
import { changing } from "./wire/bodies.ts";

export interface DeliveryParts {
  readonly catalogue: Catalogue;
  readonly pace: ChangePace;
  readonly view: DialectView;
  readonly connection: Connection;
  readonly clock: Clock;
  readonly send: SendUpdate;
  /** Who is sent all there is takes turns: it is much. */
  readonly turns: Turns;
  /** The sequence that the gateway knows. */
  readonly sequence: bigint;
  /** On the monotonic clock: until then the gateway may ignore snapshots that are smaller than what it has. */
  readonly doubtsUntil: number;
}

/** Where a gateway is: what it has acknowledged. */
export interface Position {
  readonly mark: number;
  readonly hash: bigint;
}

/** Brings one gateway what it is to have, one batch at a time, and keeps book of what it said. */
export class Delivery {
  readonly #parts: DeliveryParts;
  readonly #updates: OutgoingUpdates;
  #position: Position | undefined;
  #mark: number | undefined;
  #remarks: Remark[] = [];
  #problem: string | undefined;
  /** The gateway failed without saying where: it is given everything again with the next change. */
  #hadProblem = false;

  constructor(parts: DeliveryParts) {
    this.#parts = parts;
    this.#updates = new OutgoingUpdates(parts);
  }

  /** What it surely has; undefined while that is not known. */
  get position(): Position | undefined {
    return this.#position;
  }

  /** Changes after this place in the source are yet to be sent. */
  get mark(): number | undefined {
    return this.#mark;
  }

  /** An acknowledgement came. False: of something that was not sent here. */
  acknowledge(said: operatorApi.AcknowledgeConfigurationRequest): boolean {
    const body = this.#updates.acknowledged(said.configVersion);
    if (body === undefined) return false;
    const { remarks, problem } = saidOf(body, said, this.#parts.view);
    this.#remarks.push(...remarks);
    this.#problem ??= problem;
    return true;
  }

  /** Runs until the signal aborts. Rejects with {@link StreamEndError} when the gateway has to come anew. */
  async run(start: DeliveryStart, signal: AbortSignal): Promise<void> {
    let at: DeliveryStart | undefined = start;
    while (at !== undefined && !signal.aborted) at = await this.#follow(at, signal);
  }

  /** Follows until the signal aborts, or until it has to begin anew: with what comes back. */
  async #follow(start: DeliveryStart, signal: AbortSignal): Promise<DeliveryStart | undefined> {
    const { catalogue, pace, view, connection, clock } = this.#parts;
    const again = new AbortController();
    using ends = linkSignals([signal, again.signal]);
    let isFirst = true;
    let isSure = true;
    let forget = (): void => {};
    const selects = (deliverable: Deliverable): boolean => connection.selects(deliverable) && isSendable(deliverable);
    const from = start.has === "known" ? { from: start.mark } : {};
    if (start.has === "known") this.#updates.hash = start.hash;
    try {
      for await (const batch of followChanges(
        { catalogue, pace, selects, source: view.source, ...from },
        ends.signal,
      )) {
        if (!isFirst && batch.whole) throw new StreamEndError("too far behind: begin anew");
        if (!isFirst && this.#hadProblem) return { has: "anything" };
        if (batch.whole && start.has !== "known") {
          isSure = await this.#open(start, batch, signal);
          if (!isSure)
            forget = clock.timer(Math.max(0, this.#parts.doubtsUntil - clock.monotonic()), () => again.abort());
        } else if (batch.whole) return { has: "unknown", hash: undefined };
        else await this.#change(batch, signal);
        isFirst = false;
        if (isSure) this.#settle(batch);
      }
    } finally {
      forget();
    }
    return signal.aborted ? undefined : { has: "anything" };
  }

  async #open(
    start: Exclude<DeliveryStart, { has: "known" }>,
    batch: FollowedBatch,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { catalogue, view, turns, connection } = this.#parts;
    const done = await turns.take(signal);
    try {
      const opening = openingOf(start, batch, view.takesBatches, (key) => catalogue.keeps(key));
      this.#updates.hash = opening.hash;
      this.#mark = batch.mark;
      connection.sent(batch.through);
      await this.#updates.send(opening.bodies, (key) => opening.replaced.get(key), signal);
      return opening.isSure;
    } finally {
      done();
    }
  }

  async #change(batch: FollowedBatch, signal: AbortSignal): Promise<void> {
    const { view, connection } = this.#parts;
    const bodies = [...changing(batch, view.takesBatches)];
    this.#mark = batch.mark;
    connection.sent(batch.through);
    const { replaced } = batch;
    await this.#updates.send(bodies, (key) => replaced.get(key), signal);
  }

  #settle({ through, mark }: FollowedBatch): void {
    const [remarks, problem] = [this.#remarks, this.#problem];
    this.#remarks = [];
    this.#problem = undefined;
    this.#hadProblem = problem !== undefined;
    this.#position = problem === undefined ? { mark, hash: this.#updates.hash } : undefined;
    this.#parts.connection.acknowledged(through, remarks, problem);
  }
}
