import type { Answer } from "../exchange/answer.ts";
import type { Source } from "../exchange/body.ts";
import { Coming } from "../exchange/coming.ts";
import type { Client, Exchange, RequestHead, Sent } from "../exchange/exchange.ts";

/** The connection that a request came by. */
export interface AnswerWriter {
  /** Begins to send. What becomes of it is told to the exchange. */
  answer(exchange: ServerExchange, answer: Answer): void;
}

/** One request of a connection. */
export class ServerExchange implements Exchange {
  readonly head: RequestHead;
  readonly body: Source | undefined;
  readonly client: Client;
  readonly listener: string;
  readonly #writer: AnswerWriter;
  #gone: (() => void) | undefined;
  #isGone = false;
  #isSettled = false;
  #answer: Answer | undefined;
  #sent: Coming<Sent> | undefined;

  constructor(writer: AnswerWriter, head: RequestHead, body: Source | undefined, client: Client, listener: string) {
    this.#writer = writer;
    this.head = head;
    this.body = body;
    this.client = client;
    this.listener = listener;
  }

  send(answer: Answer): Promise<Sent> {
    if (this.#isGone || this.#answer !== undefined) {
      answer.body?.cancel();
      return Promise.resolve({ bytes: 0, failure: "client_gone" });
    }
    this.#answer = answer;
    const sent = new Coming<Sent>();
    this.#sent = sent;
    this.#writer.answer(this, answer);
    return sent;
  }

  onGone(listener: () => void): void {
    if (this.#isGone) listener();
    else this.#gone = listener;
  }

  /** The answer is sent, or its body broke off. The first of this and `leave` counts. */
  settle(bytes: number, failure: Sent["failure"]): void {
    if (this.#isSettled || this.#isGone) return;
    this.#isSettled = true;
    this.#gone = undefined;
    this.#sent?.came({ bytes, failure });
  }

  /** The client is gone, or was refused: nobody reads an answer any more. */
  leave(bytes: number): void {
    if (this.#isSettled || this.#isGone) return;
    this.#isGone = true;
    const gone = this.#gone;
    this.#gone = undefined;
    this.#answer?.body?.cancel();
    gone?.();
    this.#sent?.came({ bytes, failure: "client_gone" });
  }
}
