import type { WireResponse } from "@gatewright/aws-wire";
import type { AwsError } from "../aws-error.ts";
import type { ServedService } from "./served-service.ts";

/** A refusal as its service puts it on the wire. */
export function encodeRefusal({ codec, model }: ServedService, refusal: AwsError, requestId: string): WireResponse {
  const { code, status, message, details, headers } = refusal;
  const response = codec.encodeError(
    model,
    { code, status, message, sender: status < 500, ...(details && { details }) },
    requestId,
  );
  return headers === undefined ? response : { ...response, headers: { ...response.headers, ...headers } };
}
