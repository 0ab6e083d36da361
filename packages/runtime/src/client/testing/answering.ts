import type { Transport } from "../../transport/transport.ts";

export interface CannedAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The paths that are asked for are added here. */
  readonly asked?: string[];
}

/** A transport that gives these answers, one after the other. An answer that has only `asked` is none. */
export function answering(...answers: readonly CannedAnswer[]): Transport {
  const asked = answers.flatMap((answer) => (answer.asked === undefined ? [] : [answer.asked]));
  const left = answers.filter((answer) => answer.asked === undefined);
  return async (request) => {
    for (const list of asked) list.push(request.path);
    const { status = 200, headers = {}, body = "" } = left.shift() ?? { status: 500 };
    return {
      status,
      headers,
      body: (async function* () {
        yield Buffer.from(body);
      })(),
    };
  };
}
