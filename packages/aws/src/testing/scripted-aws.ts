import { codecOf, loadModel } from "@gatewright/aws-wire";
import type { ServiceName, WireRequest, WireResponse } from "@gatewright/aws-wire";
import { ManualClock, nextTurn, seededRandom } from "@gatewright/ports";
import type { CallerOptions } from "../caller.ts";
import { createAws } from "../create-aws.ts";
import type { Aws } from "../create-aws.ts";
import type { Send } from "../send.ts";

/** What the other end does with a call: answers, or throws what the network would. */
export type Answer =
  | { readonly output: object }
  | { readonly error: string; readonly status?: number; readonly message?: string; readonly date?: string }
  | { readonly raw: WireResponse }
  | { readonly thrown: Error };

export interface ScriptedAws {
  readonly aws: Aws;
  readonly clock: ManualClock;
  /** Operations and inputs, as they arrived. */
  readonly calls: { readonly operation: string; readonly input: object; readonly request: WireRequest }[];
  /** Lets virtual time pass until the promise settles. */
  readonly passing: <T>(work: Promise<T>) => Promise<T>;
}

export const SECRET = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
export const TOKEN = "session-token-of-somebody";

/** A client whose other end answers by a script: one answer a call, the last one for all that follow. */
export function scriptedAws(
  service: ServiceName,
  answers: readonly Answer[],
  options: Pick<CallerOptions, "gate" | "budgets" | "onCall"> & Partial<Pick<CallerOptions, "credentials">> = {},
): ScriptedAws {
  const clock = new ManualClock();
  const calls: ScriptedAws["calls"] = [];
  const send: Send = async (_endpoint, request) => {
    const model = await loadModel(service);
    const codec = codecOf(model);
    const { operation, input } = codec.decodeRequest(model, request) ?? { operation: "", input: {} };
    calls.push({ operation, input, request });
    const answer = answers[Math.min(calls.length, answers.length) - 1];
    if (answer === undefined) throw new Error("nothing was scripted");
    if ("thrown" in answer) throw answer.thrown;
    if ("raw" in answer) return answer.raw;
    if ("output" in answer) return codec.encodeResponse(model, operation, answer.output, "request-1");
    const { error, status = 400, message = "no", date } = answer;
    const told = codec.encodeError(model, { code: error, status, message, sender: status < 500 }, "request-1");
    return date === undefined ? told : { ...told, headers: { ...told.headers, date } };
  };
  const credentials = async () => ({ accessKeyId: "AKIAEXAMPLE", secretAccessKey: SECRET, sessionToken: TOKEN });
  const aws = createAws({ region: "eu-west-1", credentials, send, clock, random: seededRandom(1), ...options });
  return {
    aws,
    clock,
    calls,
    passing: async (work) => {
      let settled = false;
      const end = (): void => void (settled = true);
      work.then(end, end);
      while (!settled) {
        for (let turn = 0; turn < 5 && !settled; turn++) await nextTurn();
        if (!settled) clock.advance(1_000);
      }
      return work;
    },
  };
}
