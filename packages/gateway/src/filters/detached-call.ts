import type { CancelTimer, Clock } from "@gatewright/ports";
import type { Source } from "../exchange/body.ts";
import { CallAborted } from "../pipeline/call-aborted.ts";
import type { Call } from "../pipeline/call.ts";

/** A call of ours, and how to be done with it. */
export interface DetachedCall {
  readonly call: Call;
  /** Tells everyone who works on it that nobody waits any more. Once. */
  abort(reason: Error): void;
  /** Has to be called when the answer and its body are done with. */
  release(): void;
}

/** What differs from the call that it is like. */
export interface DetachedParts {
  readonly method: string;
  readonly body: Source | undefined;
  /** After which it is aborted by itself. */
  readonly timeoutMs: number | undefined;
}

/** A call like another one, with fields of its own, that the other one's client does not wait for directly. */
export function detachedCall(like: Call, clock: Clock, parts: DetachedParts): DetachedCall {
  let listeners: ((reason: Error) => void)[] = [];
  let aborted: Error | undefined;
  let cancelTimer: CancelTimer = () => {};
  const abort = (reason: Error): void => {
    if (aborted !== undefined) return;
    aborted = reason;
    cancelTimer();
    const told = listeners;
    listeners = [];
    for (const listener of told) listener(reason);
  };
  if (parts.timeoutMs !== undefined)
    cancelTimer = clock.timer(parts.timeoutMs, () => abort(new CallAborted("timeout")));
  const { head } = like;
  return {
    call: {
      head: { ...head, method: parts.method, fields: head.fields.copy() },
      body: parts.body,
      client: like.client,
      listener: like.listener,
      route: like.route,
      path: like.path,
      query: like.query,
      matched: like.matched,
      parameters: like.parameters,
      clientAddress: like.clientAddress,
      isGrpc: like.isGrpc,
      startedAt: clock.monotonic(),
      identity: like.identity,
      trail: { backend: "", endpoint: "", attempts: 0, flag: "" },
      onAbort(listener) {
        if (aborted !== undefined) listener(aborted);
        else listeners.push(listener);
      },
    },
    abort,
    release: () => cancelTimer(),
  };
}
