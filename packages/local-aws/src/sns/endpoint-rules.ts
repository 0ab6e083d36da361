import { isFifoName } from "./arn.ts";
import { invalid } from "./refusals.ts";

/** Whether somebody at the endpoint has to agree before anything is delivered there. */
const ASKED_FIRST = new Set(["http", "https", "email", "email-json"]);
const ENDPOINTS: ReadonlyMap<string, readonly [pattern: RegExp, refusal: string]> = new Map([
  ["sqs", [/^arn:aws[a-z-]*:sqs:[a-z0-9-]+:\d{12}:[A-Za-z0-9_.-]{1,80}$/, "SQS endpoint ARN"]],
  ["lambda", [/^arn:aws[a-z-]*:lambda:[a-z0-9-]+:\d{12}:function:[A-Za-z0-9:_$-]+$/, "Lambda endpoint ARN"]],
  ["firehose", [/^arn:aws[a-z-]*:firehose:[a-z0-9-]+:\d{12}:deliverystream\/.+$/, "Firehose endpoint ARN"]],
  ["application", [/^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:endpoint\/.+$/, "Application endpoint ARN"]],
  ["http", [/^http:\/\/[^\s/]+/, "Endpoint must match the specified protocol"]],
  ["https", [/^https:\/\/[^\s/]+/, "Endpoint must match the specified protocol"]],
  ["email", [/^[^@\s]+@[^@\s]+$/, "Email address"]],
  ["email-json", [/^[^@\s]+@[^@\s]+$/, "Email address"]],
  ["sms", [/^\+?[0-9][0-9-]{3,20}$/, "SMS endpoint"]],
]);
const LONGEST = 2_048;

/** An endpoint as SNS keeps it: telephone numbers in one spelling. */
export function keptEndpoint(protocol: string, endpoint: string): string {
  return protocol === "sms" ? `+${endpoint.replaceAll(/\D/g, "")}` : endpoint;
}

/** Refuses endpoints that the protocol, or the kind of topic, cannot have. Tells whether they must be confirmed. */
export function checkEndpoint(topic: string, protocol: string, endpoint: string): { readonly pending: boolean } {
  const rule = ENDPOINTS.get(protocol);
  if (rule === undefined) {
    throw invalid(`Amazon SNS does not support this protocol string: ${protocol.slice(0, 64)}`);
  }
  const [pattern, refusal] = rule;
  if (endpoint.length > LONGEST || !pattern.test(endpoint)) throw invalid(refusal);
  if (isFifoName(topic) && protocol !== "sqs") {
    throw invalid("Protocol Reason: FIFO topics can only deliver to SQS queues");
  }
  if (!isFifoName(topic) && protocol === "sqs" && endpoint.endsWith(".fifo")) {
    throw invalid("Invalid parameter: Endpoint Reason: FIFO SQS Queues can not be subscribed to standard SNS topics");
  }
  return { pending: ASKED_FIRST.has(protocol) };
}
