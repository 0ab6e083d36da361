import type { Clock } from "@gatewright/ports";
import { AwsError } from "../aws-error.ts";
import type { Call } from "../call.ts";

/** What a question was answered with, and when. */
interface Answer {
  readonly at: number;
  /** Gives or throws it again: refusals are among them. */
  readonly again: () => object;
}

const MOST = 1000;
/** Bodies of objects are too large to be kept. */
const READ = /^(?:Describe|Get(?!Object$)|Head|List|Search)/;

/** What reads were last answered with, for those that shall be answered so again. Keeps the latest thousand questions. */
export class EarlierAnswers {
  readonly #answers = new Map<string, Answer>();
  readonly #clock: Clock;
  readonly #mostMs: number;

  /** `mostMs`: older ones are not given again. */
  constructor(clock: Clock, mostMs: number) {
    this.#clock = clock;
    this.#mostMs = mostMs;
  }

  /** Answers from before when it `may`, and the same question was asked before; else by `make`, which is remembered. */
  async answer(call: Call, may: boolean, make: () => Promise<object>): Promise<object> {
    if (!READ.test(call.operation)) return make();
    const question = JSON.stringify([call.service, call.operation, call.account, call.region, call.input]);
    const before = this.#answers.get(question);
    const now = this.#clock.monotonic();
    if (may && before !== undefined && now - before.at <= this.#mostMs) return before.again();
    try {
      const output = await make();
      this.#note(question, () => output);
      return output;
    } catch (error) {
      if (error instanceof AwsError) {
        this.#note(question, () => {
          throw error;
        });
      }
      throw error;
    }
  }

  #note(question: string, again: () => object): void {
    this.#answers.delete(question);
    this.#answers.set(question, { at: this.#clock.monotonic(), again });
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > MOST && oldest !== undefined) this.#answers.delete(oldest);
  }
}
