import { STATUS_CODES } from "node:http";
import type { Header, Inbound } from "./message.ts";

/** Says something that no target said: an error page, a redirect, a fixed response. */
export function answerOurselves(
  inbound: Inbound,
  status: number,
  {
    body,
    contentType = "text/html",
    headers = [],
  }: { readonly body?: string; readonly contentType?: string; readonly headers?: readonly Header[] } = {},
): void {
  const bytes = Buffer.from(body ?? errorPage(status));
  const silent = inbound.head.method === "HEAD" || status === 204 || status === 304;
  const sink = inbound.answer({
    status,
    headers: [
      ["Server", "awselb/2.0"],
      ...(bytes.length > 0 || body === undefined ? [["Content-Type", contentType] as const] : []),
      ...(status === 204 || status === 304 ? [] : [["Content-Length", String(bytes.length)] as const]),
      ...headers,
    ],
    empty: silent || bytes.length === 0,
  });
  if (!inbound.body.readableEnded) inbound.body.resume();
  sink.end(silent ? undefined : bytes);
}

/** The page that application load balancers show for a status. */
export function errorPage(status: number): string {
  const title = `${status} ${status === 503 ? "Service Temporarily Unavailable" : status === 504 ? "Gateway Time-out" : (STATUS_CODES[status] ?? "")}`;
  return `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n</body>\r\n</html>\r\n`;
}
