import type { ServiceName } from "@gatewright/aws-wire";

/** Which call an answer is of, and how long it was. */
export interface AnswerFacts {
  readonly service: ServiceName;
  readonly operation: string;
  readonly bytes: number;
}

const known = new WeakMap<object, AnswerFacts>();

/** Remembers where an answer is from, for as long as somebody has it. */
export function rememberFacts<Answer extends object>(answer: Answer, facts: AnswerFacts): Answer {
  known.set(answer, facts);
  return answer;
}

/** Undefined for what no call gave. */
export function factsOf(answer: object): AnswerFacts | undefined {
  return known.get(answer);
}
