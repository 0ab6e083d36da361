import { inProcessRequest } from "@gatewright/apiserver";
import type { ApiResponse, ApiServer } from "@gatewright/apiserver";
import type { TransportRequest } from "../../transport/transport.ts";

/** An answer of the server: whole, or a stream of frames that it pushes. */
export type Answer =
  | { readonly kind: "whole"; readonly status: number; readonly headers: ApiResponse["headers"]; readonly body: Buffer }
  | { readonly kind: "stream"; readonly status: number; readonly headers: ApiResponse["headers"]; start: StartStream };

/** Begins a stream. Returns how to leave it. */
export type StartStream = (frame: (bytes: Buffer) => void, end: () => void) => () => void;

/** Has the server do a request, without any way between that could fail. `user` is whom the server takes the caller for. */
export async function askServer(server: ApiServer, request: TransportRequest, user: string): Promise<Answer> {
  const caller = { username: user, groups: ["system:masters", "system:authenticated"] };
  // An abandoned request goes on at the server: the world decides what happens to its answer.
  const { signal } = new AbortController();
  const { status, headers, body } = await server.handle(inProcessRequest(request, caller, signal));
  if (!("start" in body)) {
    return { kind: "whole", status, headers, body: Buffer.isBuffer(body) ? body : Buffer.concat(body) };
  }
  const start: StartStream = (frame, end) =>
    body.start({
      write(chunk) {
        frame(chunk);
        return true;
      },
      end,
      onDrain() {},
    });
  return { kind: "stream", status, headers, start };
}
