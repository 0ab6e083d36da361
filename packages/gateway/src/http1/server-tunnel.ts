import type { Socket } from "node:net";
import type { Source } from "../exchange/body.ts";
import { IncomingBody } from "./incoming-body.ts";
import type { BodyOwner } from "./incoming-body.ts";
import type { Http1Limits } from "./limits.ts";
import { UNFRAMED } from "./message-fields.ts";
import { OutgoingMessage } from "./outgoing-message.ts";
import type { MessageOwner } from "./outgoing-message.ts";
import type { ServerExchange } from "./server-exchange.ts";

/**
 * A connection after its change to another protocol: raw bytes both ways, each way ending on its own. It is made with the request
 * that asks for it, which may be answered otherwise: then it never begins.
 */
export class ServerTunnel implements BodyOwner, MessageOwner {
  /** What the client sends once the protocol has changed. */
  readonly body: IncomingBody;
  readonly #socket: Socket;
  #exchange: ServerExchange | undefined;
  #message: OutgoingMessage | undefined;
  #bytes = 0;
  #isAnswerOver = false;

  constructor(socket: Socket, limits: Http1Limits) {
    this.#socket = socket;
    this.body = new IncomingBody(this, UNFRAMED, limits);
  }

  /** Sends the head that changes the protocol. `ahead` is what the client did not wait with. */
  begin(exchange: ServerExchange, head: string, answer: Source, ahead: Buffer | undefined): void {
    const message = new OutgoingMessage(this.#socket, this, head, UNFRAMED, false);
    this.#exchange = exchange;
    this.#message = message;
    this.#socket.allowHalfOpen = true;
    answer.open(message);
    message.release();
    if (ahead !== undefined) this.body.feed(ahead);
    if (!this.body.isPaused) this.#socket.resume();
  }

  clientEnded(): void {
    this.body.connectionEnded(new Error("the client is gone"), true);
  }

  drained(): void {
    this.#message?.drained();
  }

  closed(): void {
    this.#message?.drop();
    this.#exchange?.leave(this.#bytes);
    this.body.fail(new Error("the client is gone"));
  }

  messageEnded(bytes: number): void {
    this.#bytes = bytes;
    this.#isAnswerOver = true;
    this.#socket.end();
    this.#settle();
  }

  messageFailed(_error: Error, bytes: number): void {
    this.#exchange?.settle(bytes, "body_failed");
    this.#exchange = undefined;
    this.#socket.destroy();
  }

  messageStalled(): void {
    // The connection ends when nothing has moved either way for long.
  }

  bodyOpened(): void {
    // There is nothing that the client waits for.
  }

  bodyEnded(): void {
    this.#settle();
  }

  bodyFailed(): void {
    this.#socket.destroy();
  }

  bodyCancelled(): void {
    // What the client still sends is thrown away; the other direction goes on.
  }

  pauseReading(): void {
    this.#socket.pause();
  }

  resumeReading(): void {
    this.#socket.resume();
  }

  #settle(): void {
    if (!this.#isAnswerOver || !this.body.isDone) return;
    this.#exchange?.settle(this.#bytes, undefined);
    this.#exchange = undefined;
  }
}
