import type { Clock, Random } from "@gatewright/ports";
import { happens } from "../backends/balancing/fraction.ts";
import type { Backend, Endpoint } from "../backends/backend.ts";
import type { Source } from "../exchange/body.ts";
import type { Call } from "../pipeline/call.ts";
import { copiedBody } from "./copied-body.ts";

/** How far a copy of a body may fall behind the original. */
const BEHIND_BYTES = 1024 * 1024;
/** How long a copied request may take, its answer included. */
const MIRROR_MS = 30_000;
const NONE: ReadonlySet<Endpoint> = new Set();

/** Where copies of a route's requests go, and how many of them. */
export interface Mirror {
  readonly backend: Backend;
  readonly percentage: number;
}

/**
 * Sends a copy of a call, perhaps, and gives the body that the call itself goes on with. The copy never delays or fails the call;
 * what comes back is dropped. Changes of protocol are not copied.
 */
export function mirrored(
  call: Call,
  onward: { readonly authority: string; readonly target: string; readonly body: Source | undefined },
  { backend, percentage }: Mirror,
  { clock, random }: { readonly clock: Clock; readonly random: Random },
): Source | undefined {
  const { body, authority, target } = onward;
  if (call.head.upgrade !== undefined || !happens(random, percentage)) return body;
  const endpoint = backend.pick(call, NONE);
  if ("refused" in endpoint) return body;
  const both = body === undefined ? undefined : copiedBody(body, BEHIND_BYTES);
  const { method, scheme, fields } = call.head;
  const exchange = endpoint.upstream.send({
    method,
    scheme,
    authority,
    target,
    fields: fields.copy(),
    body: both?.copy,
    upgrade: undefined,
  });
  const stop = clock.timer(MIRROR_MS, () => exchange.cancel(new Error("the copy took too long")));
  exchange.answer.then(
    (answer) => {
      endpoint.ended(answer.status);
      if (answer.body === undefined) stop();
      else answer.body.open({ write: () => true, end: stop, abort: stop, onDrain() {} });
    },
    () => {
      stop();
      endpoint.ended(undefined);
    },
  );
  return both?.first;
}
