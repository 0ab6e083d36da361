import type { Socket } from "node:net";
import type { Answer } from "../exchange/answer.ts";
import { CONTINUE, answerHead, framingOf, hasBody, refusal, upgradeHead } from "./answer-head.ts";
import { BadMessage } from "./bad-message.ts";
import { BodyPace } from "./body-pace.ts";
import { coarseTimerOf } from "./coarse-timer.ts";
import type { CoarseTimer, Watched } from "./coarse-timer.ts";
import { TEXT_BYTES } from "./head-reader.ts";
import { IncomingBody } from "./incoming-body.ts";
import type { BodyOwner } from "./incoming-body.ts";
import { AHEAD_BYTES, LINGER_MS, UNWANTED_BYTES } from "./limits.ts";
import { LineMemory } from "./line-memory.ts";
import { UNFRAMED } from "./message-fields.ts";
import { OutgoingMessage } from "./outgoing-message.ts";
import type { MessageOwner } from "./outgoing-message.ts";
import type { ParsedRequest } from "./request-head.ts";
import { RequestReader } from "./request-reader.ts";
import type { ServerConnectionParts, State } from "./server-connection-parts.ts";
import { ServerExchange } from "./server-exchange.ts";
import type { AnswerWriter } from "./server-exchange.ts";
import { ServerTunnel } from "./server-tunnel.ts";
import { SHARED, readsShared } from "./shared-reads.ts";
import { takenBytes } from "./taken-bytes.ts";

/** The server's side of one connection: one request after the other, in their order. */
export class ServerConnection implements BodyOwner, MessageOwner, AnswerWriter, Watched {
  readonly #socket: Socket;
  readonly #parts: ServerConnectionParts;
  readonly #timer: CoarseTimer;
  readonly #pace: BodyPace;
  readonly #takingPace: BodyPace;
  readonly #lines = new LineMemory();
  /** Has what came before its time too: of the next request, or of the next protocol. */
  readonly #reader: RequestReader;
  #state: State = "idle";
  #request: ParsedRequest | undefined;
  #exchange: ServerExchange | undefined;
  #body: IncomingBody | undefined;
  /** For a request that asks for another protocol. */
  #tunnel: ServerTunnel | undefined;
  #message: OutgoingMessage | undefined;
  /** Everything of the answer was given to the socket. */
  #isAnswered = false;
  #sentBytes = 0;
  /** No request comes after this one. */
  #isLast = false;
  #isDraining = false;
  #isReading = false;
  #owesContinue = false;
  #requests = 0;
  #unwanted = 0;
  #movedBefore = 0;
  deadline = Number.POSITIVE_INFINITY;

  constructor(socket: Socket, parts: ServerConnectionParts) {
    this.#socket = socket;
    this.#parts = parts;
    this.#timer = coarseTimerOf(parts.clock);
    this.#pace = new BodyPace(parts.rules.limits);
    this.#takingPace = new BodyPace(parts.rules.limits);
    this.#reader = new RequestReader(parts.rules);
  }

  start(first: Buffer | undefined): void {
    const socket = this.#socket;
    socket.setNoDelay(true);
    socket.on("error", () => {}); // its close follows, and says the same
    socket.on("close", this.#onClose);
    socket.on("end", this.#onEnd);
    socket.on("drain", this.#onDrain);
    this.#timer.add(this);
    this.#expireIn(this.#parts.rules.limits.headMs);
    if (socket.destroyed) this.#onClose();
    if (first !== undefined && first.length > 0) this.#onData(first);
    readsShared(socket, this.#onShared);
    socket.on("data", this.#onData);
  }

  drain(): void {
    this.#isDraining = true;
    if (this.#state === "idle" && this.#reader.size === 0) this.#linger();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  readonly #onShared = (length: number): boolean => {
    if (this.#state === "idle" && length <= TEXT_BYTES) this.#onData(SHARED, length);
    else this.#onData(Buffer.from(SHARED.subarray(0, length)));
    return true;
  };

  readonly #onData = (bytes: Buffer, length = bytes.length): void => {
    switch (this.#state) {
      case "idle":
        if (this.#reader.size === 0) this.#expireIn(this.#parts.rules.limits.headMs);
        this.#reader.hold(bytes, length);
        this.#read();
        break;
      case "busy":
        if (this.#body === undefined || this.#body.isDone) this.#keep(bytes);
        else this.#feed(this.#body, bytes);
        break;
      case "tunnel":
        this.#expireIn(this.#parts.rules.limits.tunnelIdleMs);
        this.#tunnel?.body.feed(bytes);
        break;
      case "lingering":
        this.#unwanted += bytes.length;
        if (this.#unwanted > UNWANTED_BYTES) this.#socket.destroy();
        break;
      case "closed":
    }
  };

  #keep(bytes: Buffer): void {
    this.#reader.hold(bytes, bytes.length);
    if (this.#reader.size > AHEAD_BYTES) this.#socket.pause();
  }

  #feed(body: IncomingBody, bytes: Buffer): void {
    if (body.isUnwanted) this.#unwanted += bytes.length;
    if (this.#unwanted > UNWANTED_BYTES) {
      this.#isLast = true;
      this.#socket.pause();
      this.#settleDown();
    } else body.feed(bytes);
  }

  /** Reads heads for as long as there are whole ones and nothing is under way. A loop: pipelined requests do not nest. */
  #read(): void {
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      while (this.#state === "idle") {
        const request = this.#reader.next();
        if (request === undefined) break;
        this.#begin(request);
      }
    } catch (error) {
      if (!(error instanceof BadMessage)) throw error;
      this.#refuse(error);
    } finally {
      this.#isReading = false;
    }
  }

  #begin(request: ParsedRequest): void {
    const { head } = request;
    const { rules, client, listener } = this.#parts;
    this.#state = "busy";
    this.#request = request;
    this.#isAnswered = false;
    this.#isLast = !request.keepAlive || ++this.#requests >= rules.limits.requests;
    this.#owesContinue = request.awaitsContinue;
    this.#unwanted = 0;
    this.deadline = Number.POSITIVE_INFINITY;
    this.#body = request.length === 0 ? undefined : new IncomingBody(this, request.length, rules.limits);
    this.#tunnel = head.upgrade === undefined ? undefined : new ServerTunnel(this.#socket, rules.limits);
    const exchange = new ServerExchange(this, head, this.#tunnel?.body ?? this.#body, client, listener);
    this.#exchange = exchange;
    const came = this.#body === undefined ? undefined : this.#reader.take();
    if (came !== undefined) this.#body?.feed(came);
    this.#parts.handle(exchange);
  }

  answer(exchange: ServerExchange, answer: Answer): void {
    const request = this.#request;
    if (exchange !== this.#exchange || request === undefined || this.#state !== "busy") {
      exchange.leave(0);
      return;
    }
    const { head } = request;
    if (answer.status === 101) {
      this.#changeProtocol(exchange, answer, head.upgrade);
      return;
    }
    const body = this.#body;
    const framing = framingOf(answer, head.version);
    this.#isLast ||=
      this.#isDraining ||
      this.#owesContinue ||
      framing === UNFRAMED ||
      (body !== undefined && !body.isDone && !body.isWanted && body.left > UNWANTED_BYTES);
    this.#owesContinue = false;
    const line = this.#isLast ? "connection: close\r\n" : head.version === "1.0" ? "connection: keep-alive\r\n" : "";
    const text = answerHead(answer, head.method, framing, line, this.#parts.clock, this.#lines);
    if (answer.body !== undefined && hasBody(answer.status, head.method)) {
      this.#send(text, answer.body, framing);
      return;
    }
    answer.body?.cancel();
    this.#socket.write(text, "latin1");
    this.messageEnded(0);
  }

  #send(head: string, body: NonNullable<Answer["body"]>, framing: number): void {
    const message = new OutgoingMessage(this.#socket, this, head, framing, true);
    this.#message = message;
    body.open(message);
    message.release();
  }

  #changeProtocol(exchange: ServerExchange, answer: Answer, protocol: string | undefined): void {
    if (protocol === undefined || this.#tunnel === undefined || answer.body === undefined) {
      answer.body?.cancel();
      this.messageFailed(new Error("a change of protocol that was not asked for"), 0);
      return;
    }
    this.#exchange = undefined;
    this.#state = "tunnel";
    this.#expireIn(this.#parts.rules.limits.tunnelIdleMs);
    this.#tunnel.begin(exchange, upgradeHead(answer, protocol), answer.body, this.#reader.take());
  }

  /** Refuses what cannot be read. Whatever is under way has no client any more. */
  #refuse(error: BadMessage): void {
    this.#parts.refused(error);
    const canAnswer =
      this.#state === "idle" || (this.#state === "busy" && !this.#isAnswered && this.#message === undefined);
    const exchange = this.#exchange;
    if (!canAnswer) return this.destroy();
    this.#exchange = undefined;
    exchange?.leave(0);
    this.#body?.fail(error);
    this.#socket.write(refusal(error, this.#parts.clock.now()), "latin1");
    this.#linger();
  }

  messageEnded(bytes: number): void {
    this.#isAnswered = true;
    this.#sentBytes = bytes;
    this.#settleDown();
  }

  messageFailed(_error: Error, bytes: number): void {
    this.#exchange?.settle(bytes, "body_failed");
    this.#socket.destroy();
  }

  messageStalled(): void {
    if (this.#state === "busy") this.#awaitTaking();
  }

  bodyOpened(): void {
    if (this.#state !== "busy") return;
    if (this.#owesContinue) this.#socket.write(CONTINUE, "latin1");
    this.#owesContinue = false;
    this.#pace.start(0);
    this.#expireIn(this.#parts.rules.limits.progressMs);
  }

  bodyEnded(rest: Buffer | undefined): void {
    if (this.#state === "busy") this.deadline = Number.POSITIVE_INFINITY;
    if (rest !== undefined) this.#keep(rest);
    this.#settleDown();
  }

  bodyFailed(error: BadMessage): void {
    this.#refuse(error);
  }

  bodyCancelled(): void {
    this.#settleDown();
  }

  pauseReading(): void {
    this.#socket.pause();
  }

  resumeReading(): void {
    if (this.#state === "busy") this.#expireIn(this.#parts.rules.limits.progressMs);
    this.#socket.resume();
  }

  /** Goes on to the next request, or ends, when both directions of this one are done. */
  #settleDown(): void {
    if (this.#state !== "busy" || !this.#isAnswered) return;
    if (this.#socket.writableNeedDrain) {
      if (this.deadline === Number.POSITIVE_INFINITY) this.#awaitTaking();
      return;
    }
    const body = this.#body;
    // The last answer is waited for until all of it has left.
    if (!this.#isLast || this.#socket.writableLength === 0 || body?.isWanted === true) this.#settle();
    if (body !== undefined && !body.isDone) {
      if (body.isWanted) return;
      if (!body.isUnwanted) return body.cancel();
      if (!this.#isLast) return this.#expireIn(this.#parts.rules.limits.progressMs);
    }
    if (this.#isLast || this.#isDraining) return this.#linger();
    this.#state = "idle";
    this.#exchange = undefined;
    this.#message = undefined;
    this.#body = undefined;
    this.#tunnel = undefined;
    this.#expireIn(this.#parts.rules.limits.idleMs);
    if (this.#socket.isPaused()) this.#socket.resume();
    if (this.#reader.size > 0) this.#expireIn(this.#parts.rules.limits.headMs);
    this.#read();
  }

  #settle(): void {
    this.#exchange?.settle(this.#sentBytes, undefined);
  }

  #linger(): void {
    this.#state = "lingering";
    if (this.#socket.writableLength === 0) this.#expireIn(LINGER_MS);
    else {
      this.#awaitTaking();
      this.#socket.once("finish", this.#onFinish);
    }
    this.#socket.end();
    this.#socket.resume();
  }

  readonly #onFinish = (): void => {
    this.#settle();
    this.#expireIn(LINGER_MS);
  };

  readonly #onDrain = (): void => {
    const { progressMs, tunnelIdleMs } = this.#parts.rules.limits;
    if (this.#state === "tunnel") this.#expireIn(tunnelIdleMs);
    else if (this.#state === "busy") {
      if (this.#body?.isWanted === true) this.#expireIn(progressMs);
      else this.deadline = Number.POSITIVE_INFINITY;
    }
    this.#tunnel?.drained();
    this.#message?.drained();
    this.#settleDown();
  };

  readonly #onEnd = (): void => {
    if (this.#state === "tunnel") return this.#tunnel?.clientEnded();
    if (this.#state === "lingering" && this.#socket.writableLength > 0) return;
    if (this.#state === "lingering") this.#settle();
    this.#socket.destroy();
  };

  readonly #onClose = (): void => {
    if (this.#state === "closed") return;
    this.#state = "closed";
    this.#timer.remove(this);
    this.#message?.drop();
    this.#tunnel?.closed();
    this.#exchange?.leave(this.#sentBytes);
    this.#body?.fail(new Error("the client is gone"));
  };

  expired(): void {
    switch (this.#state) {
      case "idle":
        if (this.#reader.size === 0) this.#linger();
        else this.#refuse(new BadMessage(408, "the head took too long"));
        break;
      case "busy":
        this.#expiredBusy(this.#body);
        break;
      case "tunnel":
        // What the client gets counts too.
        if (this.#socket.bytesWritten === this.#movedBefore) this.#socket.destroy();
        this.#movedBefore = this.#socket.bytesWritten;
        this.#expireIn(this.#parts.rules.limits.tunnelIdleMs);
        break;
      case "lingering":
        if (this.#socket.writableLength > 0) this.#judgeTaking();
        else this.#socket.destroy();
        break;
      case "closed":
    }
  }

  #expiredBusy(body: IncomingBody | undefined): void {
    const isComing = body !== undefined && !body.isDone && !body.isPaused;
    if (this.#socket.writableNeedDrain) this.#judgeTaking();
    else if (isComing && body.isUnwanted) this.#socket.destroy();
    else if (!isComing) this.deadline = Number.POSITIVE_INFINITY;
    else if (this.#pace.isTooSlow(body.received)) this.#refuse(new BadMessage(408, "the body took too long"));
    else this.#expireIn(this.#parts.rules.limits.progressMs);
  }

  /** From now on the client has to take something of what waits for it. */
  #awaitTaking(): void {
    this.#takingPace.start(takenBytes(this.#socket));
    this.#expireIn(this.#parts.rules.limits.progressMs);
  }

  #judgeTaking(): void {
    if (this.#takingPace.isTooSlow(takenBytes(this.#socket))) this.#socket.destroy();
    else this.#expireIn(this.#parts.rules.limits.progressMs);
  }

  #expireIn(ms: number): void {
    this.deadline = this.#timer.now + ms;
  }
}
