import type { Answer } from "../exchange/answer.ts";
import { Fields } from "../exchange/fields.ts";

/** gRPC's status for an answer that was made here, as Envoy and gRPC's own clients map HTTP's. */
const CODES: ReadonlyMap<number, number> = new Map([
  [400, 3],
  [401, 16],
  [403, 7],
  [404, 12],
  [408, 4],
  [409, 10],
  [412, 9],
  [413, 8],
  [429, 8],
  [431, 8],
  [499, 1],
  [501, 12],
  [502, 14],
  [503, 14],
  [504, 4],
]);
const UNKNOWN = 2;

/** An answer of ours as clients of gRPC read it: status 200, trailers only. */
export function asGrpc(answer: Answer, message: string): Answer {
  const fields = new Fields([
    "content-type",
    "application/grpc",
    "grpc-status",
    String(CODES.get(answer.status) ?? UNKNOWN),
    "grpc-message",
    percentEncoded(message),
  ]);
  answer.body?.cancel();
  for (const [name, value] of answer.fields)
    if (name.startsWith("x-") || name === "retry-after") fields.add(name, value);
  return { status: 200, fields, body: undefined, origin: answer.origin ?? "local" };
}

/** As the protocol of gRPC wants messages: printable ASCII, the rest in percent signs. */
function percentEncoded(message: string): string {
  return message.replace(/[^\x20-\x24\x26-\x7e]/gu, (character) =>
    [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join(""),
  );
}
