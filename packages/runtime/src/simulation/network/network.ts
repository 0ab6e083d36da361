import type { ApiServer } from "@gatewright/apiserver";
import { TransportError } from "../../transport/transport-error.ts";
import type { Transport, TransportRequest, TransportResponse } from "../../transport/transport.ts";
import type { Dice } from "../dice.ts";
import { answerInstead, timedOut } from "./status-answer.ts";
import type { FaultPlan } from "../faults/fault-plan.ts";
import type { CallFaultKind, FaultKind } from "../faults/fault-kind.ts";
import type { Incarnation } from "../process/incarnation.ts";
import type { Timeline } from "../time/timeline.ts";
import type { Trace } from "../trace/trace.ts";
import { askServer } from "./ask-server.ts";
import type { Answer } from "./ask-server.ts";
import { describeCall } from "./call.ts";
import type { Call } from "./call.ts";
import { Pipe } from "./pipe.ts";
import { askReplica } from "./stale-replica.ts";
import { WatchStream } from "./watch-stream.ts";

/** A call on its way, as observers of the world are told of it. */
export interface SentCall {
  readonly number: number;
  readonly call: Call;
  readonly life: Incarnation;
  readonly request: TransportRequest;
}

/** What the network needs of the world. */
export interface NetworkSurroundings {
  readonly server: ApiServer;
  readonly timeline: Timeline;
  readonly dice: Dice;
  readonly trace: Trace;
  plan(): FaultPlan;
  /** The number of the next call, and of the next effect: those to other systems are counted with them. */
  nextCall(): number;
  nextEffect(): number;
  /** Kills the process; the world starts it again when it sees fit. */
  crash(life: Incarnation): void;
  /** Whether a partition keeps this call from the server. */
  cutOff(life: Incarnation, call: Call): boolean;
  /** The revision at which a replica stands still and until when, if one does. */
  replica(): { readonly revision: number; readonly until: number } | undefined;
  onSent(sent: SentCall): void;
  /** The server has answered: the call was done, or refused. */
  onDone(sent: SentCall, answer: Answer): void;
  /** The process has heard the answer. */
  onHeard(sent: SentCall, answer: Answer): void;
  onFault(kind: FaultKind, site: string): void;
  /** Streams that are dead though their readers do not know it, by the number of their call. */
  readonly deaf: Set<number>;
  /** Calls whose processes wait for an answer, or died while they did. */
  readonly awaited: Set<SentCall>;
}

/** Faults by which the server says that it has forgotten a version. From then on it has, for everybody. */
const FORGETS: ReadonlySet<FaultKind> = new Set(["gone", "watch-gone", "watch-unseen"]);
/** How long a client waits before it takes a call for lost. */
const PATIENCE_MS = 30_000;
/** How long a server waits for the revision that a client has seen elsewhere. */
const REPLICA_PATIENCE_MS = 3_000;

/** Makes the ways from processes to the server, on which everything takes time and anything may go wrong. */
export function createNetwork(around: NetworkSurroundings): (life: Incarnation) => Transport {
  /** Nobody can go on from a version before this one. */
  let forgotten = 0;
  const told: NetworkSurroundings = {
    ...around,
    onFault(kind, site) {
      if (FORGETS.has(kind)) forgotten = around.server.cluster.store.revision;
      around.onFault(kind, site);
    },
  };
  return (life) => (request) => {
    if (!life.alive) return new Promise(() => {});
    if (request.signal?.aborted === true) return Promise.reject(request.signal.reason as Error);
    const call = describeCall(request);
    const sent: SentCall = { number: around.nextCall(), call, life, request };
    const effect = call.writes && !call.lease ? around.nextEffect() : 0;
    const cut = around.cutOff(life, call);
    const chosen = cut ? lostIn(around.dice) : around.plan().call(call, effect);
    const isForgotten = call.resumes && Number(call.query.get("resourceVersion") ?? 0) < forgotten;
    const fault = chosen ?? (isForgotten ? "gone" : undefined);
    const about = fault === undefined ? "" : cut ? " (cut off)" : ` (${fault})`;
    around.trace.tell(life.identity, `> ${sent.number} ${request.method} ${request.path}${about}`, request.body);
    around.onSent(sent);
    if (chosen !== undefined && !cut) told.onFault(chosen, call.site);
    return new Exchange(told, sent, fault).run();
  };
}

function lostIn(dice: Dice): CallFaultKind {
  return dice.chance(0.5) ? "refuse" : "timeout-before";
}

/** One call and what becomes of it. */
class Exchange {
  readonly #around: NetworkSurroundings;
  readonly #sent: SentCall;
  readonly #fault: CallFaultKind | undefined;
  readonly #settled = Promise.withResolvers<TransportResponse>();
  #open = true;
  #replica: ReturnType<NetworkSurroundings["replica"]>;
  #stream: WatchStream | undefined;

  constructor(around: NetworkSurroundings, sent: SentCall, fault: CallFaultKind | undefined) {
    this.#around = around;
    this.#sent = sent;
    this.#fault = fault;
  }

  run(): Promise<TransportResponse> {
    const { life, request } = this.#sent;
    request.signal?.addEventListener("abort", this.#abandon, { once: true });
    this.#around.awaited.add(this.#sent);
    switch (this.#fault) {
      case "crash-before":
        this.#around.crash(life);
        break;
      case "refuse":
        this.#fail(this.#latency(), new TransportError("refused", "connection refused"));
        break;
      case "timeout-before":
        this.#fail(PATIENCE_MS, new TransportError("timeout", "no answer in time"));
        break;
      default:
        this.#around.timeline.timer(this.#latency(), () => void this.#arrive());
    }
    return this.#settled.promise;
  }

  /** A few milliseconds; seconds when the way is slow. */
  #latency(): number {
    const { dice } = this.#around;
    return this.#fault === "slow" ? dice.between(100, 12_000) : dice.between(0.3, 8);
  }

  async #arrive(): Promise<void> {
    const { call, life } = this.#sent;
    const answer = answerInstead(this.#fault, call, this.#around.dice) ?? (await this.#ask());
    this.#around.onDone(this.#sent, answer);
    switch (this.#fault) {
      case "crash-after":
        this.#around.trace.tell("server", `did ${this.#sent.number}: ${answer.status}`);
        return this.#around.crash(life);
      case "lost-reply":
        return this.#fail(this.#latency(), new TransportError("cut", "the connection was cut"));
      case "timeout-after":
        return this.#fail(PATIENCE_MS, new TransportError("timeout", "no answer in time"));
      case "late-504":
        return this.#reply(timedOut());
      default:
        return this.#reply(answer);
    }
  }

  async #ask(): Promise<Answer> {
    const { server, timeline } = this.#around;
    const { call, life, request } = this.#sent;
    if (call.oldAllowed && this.#around.dice.chance(0.5)) this.#replica = this.#around.replica();
    const replica = this.#replica;
    if (replica === undefined) return askServer(server, request, life.name);
    this.#around.onFault("stale-replica", call.site);
    const answer = await askReplica(server, request, call, replica.revision, life.name);
    if (answer.status !== 504) return answer;
    await new Promise<void>((resolve) => timeline.timer(REPLICA_PATIENCE_MS, resolve));
    return answer;
  }

  #fail(ms: number, error: TransportError): void {
    this.#settle(ms, () => {
      this.#tell(`< ${this.#sent.number} ${error.code}`);
      this.#settled.reject(error);
    });
  }

  #reply(answer: Answer): void {
    if (answer.kind === "stream") this.#replyStream(answer);
    else {
      const { body, cut } = this.#body(answer.body);
      this.#settle(this.#latency(), () => {
        this.#tell(`< ${this.#sent.number} ${answer.status}${cut ? " (cut)" : ""}`, answer.body);
        if (!cut) this.#around.onHeard(this.#sent, answer);
        this.#settled.resolve({ status: answer.status, headers: answer.headers, body });
      });
    }
  }

  /** The bytes in a few pieces, as sockets give them; perhaps not all of them. */
  #body(bytes: Buffer): { body: Pipe; cut: boolean } {
    const { dice } = this.#around;
    const body = new Pipe();
    const cut = this.#fault === "truncate";
    const end = cut ? dice.integer(0, Math.max(bytes.length - 1, 0)) : bytes.length;
    const middle = dice.chance(0.2) ? dice.integer(0, end) : end;
    if (middle > 0) body.push(bytes.subarray(0, middle));
    if (middle < end) body.push(bytes.subarray(middle, end));
    body.end(cut ? new TransportError("cut", "the connection was cut") : undefined);
    return { body, cut };
  }

  #replyStream(answer: Answer & { readonly kind: "stream" }): void {
    const { life } = this.#sent;
    if (!this.#open || !life.alive) return;
    const stream = this.#openStream(answer);
    this.#stream = stream;
    const forget = life.onDeath(() => stream.close());
    let [answered, over] = [false, false];
    stream.onClose(() => {
      this.#around.deaf.delete(this.#sent.number);
      forget();
      over = true;
      // A paused process has not seen the answer yet: it gets that first, and then the end.
      if (answered) this.#close();
    });
    this.#settle(0, () => {
      this.#tell(`< ${this.#sent.number} ${answer.status} stream`);
      this.#settled.resolve({ status: answer.status, headers: answer.headers, body: stream.pipe });
      this.#around.awaited.delete(this.#sent);
      answered = true;
      if (over) this.#close();
    });
  }

  #openStream(answer: Answer & { readonly kind: "stream" }): WatchStream {
    const around = this.#around;
    const { call, life } = this.#sent;
    const replica = this.#replica;
    return new WatchStream(answer.start, {
      latency: () => this.#latency(),
      after: (ms, happen) => void around.timeline.timer(ms, happen),
      deaf: () => void around.deaf.add(this.#sent.number),
      deliver: (happen) => life.deliver(happen),
      fault: () => {
        const kind = around.plan().frame(call);
        if (kind !== undefined) around.onFault(kind, call.site);
        return kind;
      },
      holdMs: () => around.dice.between(500, 20_000),
      replicaHoldMs: (frame) => {
        if (replica === undefined || revisionOf(frame) <= replica.revision) return 0;
        return Math.max(replica.until - around.timeline.monotonic(), 0);
      },
      cutAt: (bytes) => around.dice.integer(1, Math.max(bytes - 1, 1)),
      tell: (what, content) => this.#tell(`~ ${this.#sent.number} ${call.resource} ${what}`, content),
    });
  }

  #settle(ms: number, settle: () => void): void {
    const { life } = this.#sent;
    this.#around.timeline.timer(ms, () =>
      life.deliver(() => {
        if (!this.#open) return;
        if (this.#stream === undefined) this.#close();
        settle();
      }),
    );
  }

  /** The caller gave up. What it sent goes its way all the same. */
  readonly #abandon = (): void => {
    const { request, life } = this.#sent;
    if (!this.#open || !life.alive) return;
    this.#close();
    this.#stream?.close();
    this.#stream?.pipe.end(request.signal?.reason);
    this.#settled.reject(request.signal?.reason);
  };

  #close(): void {
    this.#open = false;
    this.#around.awaited.delete(this.#sent);
    this.#sent.request.signal?.removeEventListener("abort", this.#abandon);
  }

  #tell(what: string, content?: Uint8Array): void {
    this.#around.trace.tell(this.#sent.life.identity, what, content);
  }
}

function revisionOf(frame: Buffer): number {
  const event = JSON.parse(frame.toString()) as { object?: { metadata?: { resourceVersion?: string } } };
  return Number(event.object?.metadata?.resourceVersion ?? 0);
}
