import { StatusError } from "@gatewright/kube";
import type { JsonObject } from "@gatewright/kube";
import { DeadlineError } from "@gatewright/ports";
import { untilAborted } from "../lease/until-aborted.ts";
import { ADMISSION_VERSION, admissionResponse } from "./admission/admission-response.ts";
import { readAdmissionRequest } from "./admission/read-admission-request.ts";
import { denied } from "./admission/verdict.ts";
import type { Verdict } from "./admission/verdict.ts";
import { CONVERSION_VERSION, conversionResponse } from "./conversion/conversion-response.ts";
import { readReview } from "./read-review.ts";
import type { HandlerContext, Webhook } from "./webhook.ts";

/**
 * Answers a review. Whatever a handler does, there is an answer: its fault is a refusal with code 500, being late one with 504.
 * Throws MalformedReviewError for a body that asks nothing.
 */
export async function answerReview(webhook: Webhook, body: Uint8Array, context: HandlerContext): Promise<JsonObject> {
  if (webhook.type === "converting") {
    const review = readReview(body, CONVERSION_VERSION, "ConversionReview");
    const { review: answer, fault } = conversionResponse(webhook.conversion, review);
    if (fault !== undefined)
      context.log.error("An object could not be converted", { webhook: webhook.path, error: fault });
    return answer;
  }
  const request = readAdmissionRequest(readReview(body, ADMISSION_VERSION, "AdmissionReview"));
  const { group, version, plural } = webhook.for;
  const { resource } = request;
  if (resource.group !== group || resource.version !== version || resource.resource !== plural) {
    const seen = [resource.resource, resource.version, resource.group].join(".");
    return admissionResponse(
      request,
      denied(`${webhook.path} reviews ${plural}.${version}.${group}, not ${seen}`, { code: 400 }),
    );
  }
  try {
    const verdict = await untilAborted(Promise.resolve(webhook.handle(request, context)), context.signal);
    return admissionResponse(request, verdict);
  } catch (error) {
    if (!(error instanceof StatusError)) {
      context.log.error("A webhook's handler failed", { webhook: webhook.name, request: request.uid, error });
    }
    return admissionResponse(request, refusalFor(error));
  }
}

/** A fault's text stays in the log: it may tell what the caller must not know. */
function refusalFor(error: unknown): Verdict {
  if (error instanceof StatusError) {
    const { code, reason, details, message } = error;
    const causes = details?.causes ?? [];
    return denied(message, { code, causes, ...(reason !== undefined && { reason }) });
  }
  if (error instanceof DeadlineError) return denied("the webhook took too long to decide", { code: 504 });
  return denied("the webhook failed; its log says why", { code: 500 });
}
