import type { WireRequest } from "@gatewright/aws-wire";
import { AwsError } from "../aws-error.ts";
import type { Answered } from "./answer-call.ts";
import { encodeRefusal } from "./encode-refusal.ts";
import type { ServedService } from "./served-service.ts";
import { bucketInPath } from "./virtual-host.ts";

/** Answers as `answer` does, and tells browsers what pages of other origins may have of it. Preflights carry no signature. */
export async function answerPage(
  served: ServedService,
  wire: WireRequest,
  requestId: string,
  answer: () => Promise<Answered>,
): Promise<Answered> {
  const { crossOrigin } = served.service;
  if (!crossOrigin) return answer();
  if (wire.method === "OPTIONS") return preflight(served, bucketInPath(wire), requestId);
  if (wire.headers["origin"] === undefined) return answer();
  const told = crossOrigin.headersFor(bucketInPath(wire));
  const answered = await answer();
  return { ...answered, response: { ...answered.response, headers: { ...answered.response.headers, ...told } } };
}

function preflight(served: ServedService, request: WireRequest, requestId: string): Answered {
  try {
    const headers = { "x-amz-request-id": requestId, ...served.service.crossOrigin?.preflight(request) };
    return { response: { status: 200, headers, body: new Uint8Array(0) }, code: "OK", call: undefined, lost: false };
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    const response = encodeRefusal(served, error, requestId);
    return { response, code: error.code, call: undefined, lost: false };
  }
}
