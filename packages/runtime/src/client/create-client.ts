import { systemClock, systemRandom } from "@gatewright/ports";
import type { Clock, Random } from "@gatewright/ports";
import type { WriteObserver } from "../cache/informer.ts";
import { retrying } from "../transport/retrying.ts";
import type { RetryOptions } from "../transport/retrying.ts";
import type { Transport } from "../transport/transport.ts";
import { createCaller } from "./caller.ts";
import type { Client, ClientView } from "./client.ts";
import { createResourceClient } from "./resource-client.ts";

export interface ClientOptions extends ClientView {
  /** Who calls, for the server's logs. Default: `gatewright`. Its part before a slash is the default field manager. */
  readonly userAgent?: string;
  /** Told of every write that the server acknowledged, so that reads can see it at once. */
  readonly observer?: WriteObserver;
  /** How requests are repeated; false: never. */
  readonly retry?: RetryOptions | false;
  readonly clock?: Clock;
  readonly random?: Random;
}

const USER_AGENT = "gatewright";

/** A typed client over a transport. Holds no state of its own: make as many as you like. */
export function createClient(transport: Transport, options: ClientOptions = {}): Client {
  const { userAgent = USER_AGENT, observer, retry = {}, clock = systemClock, random = systemRandom } = options;
  const sending = retry === false ? transport : retrying(transport, { clock, random, ...retry });
  const view = (given: ClientView): Client => {
    const whole = { ...given, fieldManager: given.fieldManager ?? (userAgent.split("/")[0] || USER_AGENT) };
    const caller = createCaller(sending, whole, { userAgent, observer });
    return {
      for: (resource) => createResourceClient(caller, resource),
      with: (changes) => view({ ...given, ...changes }),
      request: caller.request,
    };
  };
  const { fieldManager, dryRun, impersonate } = options;
  return view({
    ...(fieldManager !== undefined && { fieldManager }),
    ...(dryRun !== undefined && { dryRun }),
    ...(impersonate !== undefined && { impersonate }),
  });
}
