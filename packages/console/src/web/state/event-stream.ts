/** One event of a stream. */
export interface StreamEvent {
  readonly event: string;
  readonly data: string;
}

/** The events of an answer, as they come. Unlike `EventSource`, the request that it answers could show a token. */
export async function* eventsOf(answer: Response): AsyncGenerator<StreamEvent> {
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (reader === undefined) return;
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const parts = (rest + value).split("\n\n");
      rest = parts.pop() ?? "";
      for (const part of parts) {
        const event = parseEvent(part);
        if (event !== undefined) yield event;
      }
    }
  } finally {
    // The server learns that nobody reads on; whether it hears of it changes nothing here.
    await reader.cancel().catch(() => {});
  }
}

/** Undefined for comments and other lines without data. */
export function parseEvent(text: string): StreamEvent | undefined {
  let event = "message";
  const data: string[] = [];
  for (const line of text.split("\n")) {
    if (line.startsWith("event: ")) event = line.slice(7);
    else if (line.startsWith("data: ")) data.push(line.slice(6));
  }
  return data.length === 0 ? undefined : { event, data: data.join("\n") };
}
