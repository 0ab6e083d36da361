import type { Answer } from "../exchange/answer.ts";
import type { Call } from "../pipeline/call.ts";
import type { Filter } from "../pipeline/filter.ts";

/** A route as requests meet it: made once from an object, never changed. */
export interface CompiledRoute {
  /** `APIRoute default/hello`: for logs, explain and metrics when they are asked for. */
  readonly id: string;
  readonly kind: "APIRoute" | "GRPCRoute" | "GraphQLRoute";
  readonly namespace: string;
  readonly name: string;
  /** In the order in which requests pass them. */
  readonly filters: readonly Filter[];
  /** How long the whole call may take, in milliseconds. Undefined: as long as it likes, within the listener's limits. */
  readonly timeoutMs: number | undefined;
  /** What is done in the end: redirect, answer directly, forward, ask many. Rejects only for faults of ours. */
  act(call: Call): Answer | Promise<Answer>;
}
