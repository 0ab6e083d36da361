import type { TransportResponse } from "./transport.ts";

/** Seconds that the server asks to wait. Dates, which API servers never send, are not understood. */
export function retryAfterOf(response: Pick<TransportResponse, "headers">): number | undefined {
  const value = response.headers["retry-after"];
  const text = typeof value === "string" ? value : value?.[0];
  return text !== undefined && /^\d{1,6}$/.test(text.trim()) ? Number(text) : undefined;
}
