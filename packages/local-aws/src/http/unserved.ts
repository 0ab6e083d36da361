import type { WireRequest, WireResponse } from "@gatewright/aws-wire";

/** The answer to a request for a service that is not here, in the notation that its client most likely reads. */
export function unserved({ headers }: WireRequest, names: readonly string[], requestId: string): WireResponse {
  const message = `This service is not served here. There are: ${names.join(", ")}.`;
  const type = headers["content-type"] ?? "";
  if (headers["x-amz-target"] !== undefined || type.includes("json")) {
    const body = { __type: "UnknownOperationException", message };
    return answer("application/x-amz-json-1.1", JSON.stringify(body), requestId);
  }
  const error = `<Error><Type>Sender</Type><Code>InvalidAction</Code><Message>${message}</Message></Error>`;
  const xml = `<ErrorResponse>${error}<RequestId>${requestId}</RequestId></ErrorResponse>`;
  return answer("text/xml", xml, requestId);
}

function answer(type: string, body: string, requestId: string): WireResponse {
  return { status: 400, headers: { "content-type": type, "x-amzn-requestid": requestId }, body: Buffer.from(body) };
}
