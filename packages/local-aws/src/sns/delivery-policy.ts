import { isJsonObject } from "../is-json-object.ts";
import { invalid } from "./refusals.ts";

/** How calls to web addresses are repeated where nobody says otherwise. */
const RETRIES = {
  minDelayTarget: 20,
  maxDelayTarget: 20,
  numRetries: 3,
  numMaxDelayRetries: 0,
  numNoDelayRetries: 0,
  numMinDelayRetries: 0,
  backoffFunction: "linear",
};
const LONGEST_DELAY = 3_600;
const MOST_RETRIES = 100;

type Policy = Readonly<Record<string, unknown>>;

/** Refuses a delivery policy that no topic or subscription can have. */
export function checkDeliveryPolicy(text: string): void {
  if (!isJsonObject(text)) throw invalid("DeliveryPolicy: failed to parse JSON");
  const policy = JSON.parse(text) as Policy;
  const http = partOf(policy, "http");
  for (const retry of [partOf(http, "defaultHealthyRetryPolicy"), partOf(policy, "healthyRetryPolicy")]) {
    checkNumber(retry, "numRetries", 0, MOST_RETRIES);
    checkNumber(retry, "minDelayTarget", 1, LONGEST_DELAY);
    checkNumber(retry, "maxDelayTarget", 1, LONGEST_DELAY);
    const least = numberIn(retry, "minDelayTarget");
    const most = numberIn(retry, "maxDelayTarget");
    if (least !== undefined && most !== undefined && least > most) {
      throw invalid("DeliveryPolicy: minDelayTarget must be less than or equal to maxDelayTarget");
    }
  }
}

/** The delivery policy that is in force on a topic. */
export function effectiveDeliveryPolicy(text: string | undefined): string {
  const http = text === undefined ? {} : partOf(JSON.parse(text) as Policy, "http");
  const retries = partOf(http, "defaultHealthyRetryPolicy");
  const said = Object.keys(RETRIES).flatMap((name) => {
    const value = retries[name];
    return typeof value === "number" || typeof value === "string" ? [[name, value] as const] : [];
  });
  const type = partOf(http, "defaultRequestPolicy")["headerContentType"];
  return JSON.stringify({
    http: {
      defaultHealthyRetryPolicy: { ...RETRIES, ...Object.fromEntries(said) },
      disableSubscriptionOverrides: http["disableSubscriptionOverrides"] === true,
      defaultRequestPolicy: { headerContentType: typeof type === "string" ? type : "text/plain; charset=UTF-8" },
    },
  });
}

function checkNumber(policy: Policy, name: string, least: number, most: number): void {
  const value = policy[name];
  if (value === undefined || (Number.isInteger(value) && Number(value) >= least && Number(value) <= most)) return;
  throw invalid(`DeliveryPolicy: ${name} must be between ${least} and ${most}`);
}

function numberIn(policy: Policy, name: string): number | undefined {
  const value = policy[name];
  return typeof value === "number" ? value : undefined;
}

function partOf(policy: Policy, name: string): Policy {
  const part = Object.hasOwn(policy, name) ? policy[name] : undefined;
  return typeof part === "object" && part !== null && !Array.isArray(part) ? (part as Policy) : {};
}
