import { deadline } from "@gatewright/ports";
import type { Clock } from "@gatewright/ports";
import type { Transport } from "@gatewright/runtime";
import type { PodPort } from "../probes.ts";

const TIMEOUT_MS = 3_000;

/**
 * Whether a port of a pod takes connections, asked by a GET through the API server, which needs the right to `pods/proxy`. Undefined for
 * any answer that is not about the port.
 */
export async function podPortBy(
  transport: Transport,
  clock: Clock,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  port: number,
  signal?: AbortSignal,
): Promise<PodPort | undefined> {
  using limit = deadline(clock, TIMEOUT_MS, signal);
  try {
    const path = `/api/v1/namespaces/${namespace}/pods/${name}:${port}/proxy/`;
    const { status, body } = await transport({ method: "GET", path, signal: limit.signal });
    let text = "";
    for await (const chunk of body) {
      text += Buffer.from(chunk).toString();
      if (text.length > 4_000) break;
    }
    if (/"reason":\s*"(?:Forbidden|Unauthorized|NotFound)"/.test(text) && /"kind":\s*"Status"/.test(text))
      return undefined;
    if (!/error trying to reach service/.test(text)) return "listening";
    return status >= 500 && /refused/.test(text) ? "closed" : undefined;
  } catch {
    signal?.throwIfAborted();
    // No answer says nothing of the port.
    return undefined;
  }
}
