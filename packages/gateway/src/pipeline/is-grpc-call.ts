import type { Call } from "./call.ts";

/**
 * Whether a call is one of gRPC as far as rules and limits go. The content type alone is what a client says: believed on routes of other
 * kinds, it would free any request of the rules for its method and of its limit. It decides about the form of answers, and no more.
 */
export function isGrpcCall({ isGrpc, route, head }: Pick<Call, "isGrpc" | "route" | "head">): boolean {
  return isGrpc && route.kind === "GRPCRoute" && head.method === "POST";
}
