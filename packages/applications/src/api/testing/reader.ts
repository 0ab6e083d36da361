import type { HttpAnswer } from "@gatewright/runtime/serving";

/** One Server-Sent Event as a client understands it. */
export interface ServerSentEvent {
  readonly id: string;
  readonly event: string;
  readonly data: { readonly type: string; readonly name?: string; readonly [field: string]: unknown };
}

/** Reads the text of a stream as browsers do: events end with an empty line, comments are passed over. */
export function parseEvents(text: string): ServerSentEvent[] {
  return text
    .split("\n\n")
    .slice(0, -1)
    .flatMap((block) => {
      const fields = new Map(
        block.split("\n").map((line) => {
          const [name = "", ...rest] = line.split(": ");
          return [name, rest.join(": ")] as const;
        }),
      );
      const data = fields.get("data");
      if (data === undefined) return [];
      const parsed = JSON.parse(data) as ServerSentEvent["data"];
      return [{ id: fields.get("id") ?? "", event: fields.get("event") ?? "message", data: parsed }];
    });
}

/** A reader of a stream without sockets. It takes everything at once, unless it is slow. */
export class Reader {
  readonly #stop: () => void;
  #drain = (): void => {};
  text = "";
  frames = 0;
  ended = false;
  slow = false;

  constructor(answer: HttpAnswer, options: { readonly slow?: boolean } = {}) {
    this.slow = options.slow === true;
    const { body } = answer;
    if (!("start" in body)) throw new TypeError("this answer is no stream");
    this.#stop = body.start({
      write: (chunk) => {
        this.text += chunk.toString();
        this.frames++;
        return !this.slow;
      },
      end: () => void (this.ended = true),
      onDrain: (listener) => (this.#drain = listener),
    });
  }

  get events(): readonly ServerSentEvent[] {
    return parseEvents(this.text);
  }

  /** The last id that it was told, as browsers keep it. */
  get lastEventId(): string {
    return this.events.at(-1)?.id ?? "";
  }

  /** Goes on reading after it was slow. */
  drain(): void {
    this.#drain();
  }

  leave(): void {
    this.#stop();
  }
}
