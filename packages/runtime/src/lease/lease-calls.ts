import { deadline } from "@gatewright/ports";
import type { Clock } from "@gatewright/ports";
import type { Transport, TransportRequest } from "../transport/transport.ts";
import { leaseBody, readLease } from "./lease-record.ts";
import type { LeaseSpec, StoredLease } from "./lease-record.ts";
import { untilAborted } from "./until-aborted.ts";

/** What came of a request for the lease. */
export type LeaseReply =
  | { readonly kind: "read"; readonly lease: StoredLease | undefined }
  | { readonly kind: "wrote"; readonly lease: StoredLease }
  | { readonly kind: "refused" }
  | { readonly kind: "failed"; readonly problem: string };

/** Reads and writes one lease. Never rejects: what is not an answer is `failed`. */
export interface LeaseCalls {
  read(): Promise<LeaseReply>;
  write(spec: LeaseSpec, base: StoredLease | undefined): Promise<LeaseReply>;
}

/** Calls that take `callMs` at most. */
export function leaseCalls(
  transport: Transport,
  ref: { readonly namespace: string; readonly name: string },
  clock: Clock,
  callMs: number,
): LeaseCalls {
  const collection = `/apis/coordination.k8s.io/v1/namespaces/${encodeURIComponent(ref.namespace)}/leases`;
  const path = `${collection}/${encodeURIComponent(ref.name)}`;

  const call = async (
    request: TransportRequest,
    judge: (status: number, body: unknown) => LeaseReply,
  ): Promise<LeaseReply> => {
    using limit = deadline(clock, callMs);
    const exchange = async (): Promise<LeaseReply> => {
      const response = await transport({ ...request, signal: limit.signal });
      const chunks: Uint8Array[] = [];
      for await (const chunk of response.body) chunks.push(chunk);
      return judge(response.status, parse(Buffer.concat(chunks).toString("utf8")));
    };
    try {
      return await untilAborted(exchange(), limit.signal);
    } catch (error) {
      return { kind: "failed", problem: error instanceof Error ? error.message : String(error) };
    }
  };

  return {
    read: () =>
      call({ method: "GET", path, headers: { accept: "application/json" } }, (status, body) => {
        if (status === 404 && reasonOf(body) === "NotFound") return { kind: "read", lease: undefined };
        const lease = status === 200 ? readLease(body) : undefined;
        return lease === undefined ? unusable(status, body) : { kind: "read", lease };
      }),
    write(spec, base) {
      const request: TransportRequest = {
        method: base === undefined ? "POST" : "PUT",
        path: base === undefined ? collection : path,
        headers: { accept: "application/json", "content-type": "application/json" },
        body: JSON.stringify(leaseBody(ref, spec, base)),
      };
      return call(request, (status, body) => {
        const gone = base !== undefined && status === 404 && reasonOf(body) === "NotFound";
        if (status === 409 || gone) return { kind: "refused" };
        const lease = status === 200 || status === 201 ? readLease(body) : undefined;
        return lease === undefined ? unusable(status, body) : { kind: "wrote", lease };
      });
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // a page of some proxy: told by its status code
  }
}

function field(body: unknown, name: "reason" | "message"): string | undefined {
  const value = typeof body === "object" && body !== null ? Reflect.get(body, name) : undefined;
  return typeof value === "string" ? value : undefined;
}

function reasonOf(body: unknown): string | undefined {
  return field(body, "reason");
}

function unusable(status: number, body: unknown): LeaseReply {
  return { kind: "failed", problem: `${status} ${field(body, "message") ?? "without a Status"}` };
}
