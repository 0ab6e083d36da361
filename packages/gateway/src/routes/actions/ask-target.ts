import type { Clock } from "@gatewright/ports";
import type { Answer } from "../../exchange/answer.ts";
import { bytesSource } from "../../exchange/bodies.ts";
import { decodedBody } from "../../filters/decoded-body.ts";
import { detachedCall } from "../../filters/detached-call.ts";
import { wholeBody } from "../../filters/whole-body.ts";
import type { Call } from "../../pipeline/call.ts";
import type { AskTarget } from "./aggregate.ts";
import type { AggregateTarget } from "./aggregate-spec.ts";
import type { TargetAnswer } from "./merge-answers.ts";

/** How much one target may answer. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
/** Methods that may be repeated without doing something twice. */
const REPEATABLE: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "PUT", "DELETE"]);

/** One question to one target. */
export interface TargetQuestion {
  readonly target: AggregateTarget;
  /** Of each attempt. */
  readonly timeoutMs: number;
  readonly call: Call;
  readonly body: Buffer | undefined;
  readonly ask: AskTarget;
  readonly clock: Clock;
  /** Is told how to end the attempt that begins. */
  readonly onAbort: (abort: (reason: Error) => void) => void;
}

/** The whole answer of one target, unpacked; undefined when there is no good one after all attempts. Never rejects. */
export async function askTarget(question: TargetQuestion): Promise<TargetAnswer | undefined> {
  const { call, target } = question;
  const repeats = REPEATABLE.has(call.head.method) ? (target.retries ?? 0) : 0;
  const state = { gone: false };
  for (let attempt = 0; attempt <= repeats && !state.gone; attempt++) {
    call.trail.attempts++;
    const got = await attemptOf(question, state);
    if (got !== "again") return got;
  }
  return undefined;
}

async function attemptOf(
  question: TargetQuestion,
  state: { gone: boolean },
): Promise<TargetAnswer | "again" | undefined> {
  const { call, target, body, clock, timeoutMs } = question;
  const own = detachedCall(call, clock, {
    // The head of an answer depends on the bodies that it is made of.
    method: call.head.method === "HEAD" ? "GET" : call.head.method,
    body: body === undefined ? undefined : bytesSource(body),
    timeoutMs,
  });
  own.call.head.fields.set("accept-encoding", "identity");
  for (const name of ["range", "if-none-match", "if-modified-since", "if-match"]) own.call.head.fields.remove(name);
  const { promise: over, reject } = Promise.withResolvers<never>();
  own.call.onAbort(reject);
  question.onAbort((reason) => {
    state.gone = true;
    own.abort(reason);
  });
  const asked = Promise.resolve().then(() => question.ask(target, own.call));
  try {
    const answer = await Promise.race([asked, over]);
    if (answer.status < 200 || answer.status > 299) {
      answer.body?.cancel();
      return answer.status >= 500 ? "again" : undefined;
    }
    own.call.onAbort(() => answer.body?.cancel());
    return await Promise.race([read(target.name, answer), over]);
  } catch {
    // Which one failed shows in the logs of the backend; the client is told how many.
    asked.then(
      (late) => late.body?.cancel(),
      () => {},
    );
    return "again";
  } finally {
    own.release();
  }
}

async function read(name: string, answer: Answer): Promise<TargetAnswer | undefined> {
  const { body, fields } = answer;
  const packed = body === undefined ? Buffer.alloc(0) : await wholeBody(body, MAX_ANSWER_BYTES, "response");
  if (!Buffer.isBuffer(packed)) return undefined;
  const bytes = await decodedBody(packed, fields.all("content-encoding"), MAX_ANSWER_BYTES);
  if (!Buffer.isBuffer(bytes)) return undefined;
  return { name, bytes, lines: /ndjson|jsonl|json-lines|stream\+json/i.test(fields.get("content-type") ?? "") };
}
