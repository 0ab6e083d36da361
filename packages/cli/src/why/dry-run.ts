import type { Refusal } from "@gatewright/explain";
import { StatusError } from "@gatewright/kube";
import type { ApiObject, Resource } from "@gatewright/kube";
import { isNotFound } from "@gatewright/runtime";
import type { Client } from "@gatewright/runtime";

export type DryRun =
  | { readonly state: "taken" }
  | { readonly state: "refused"; readonly refusal: Refusal }
  | { readonly state: "no kind"; readonly message: string };

/** With these an API server judges the object. Any other is about the caller, the server or the way there. */
const VERDICTS: ReadonlySet<number> = new Set([400, 403, 409, 413, 422]);

/** Policies and webhooks choose the code that they refuse with. */
const DENIED =
  /(?:^|\W)(?:ValidatingAdmissionPolicy '[^']+' with binding '[^']+'|admission webhook "[^"]+") denied (?:the )?request/;

/** What the API server says to an object, without storing it. Rejects when it says nothing about that. */
export async function dryRun(
  client: Client,
  resource: Resource,
  object: ApiObject,
  signal: AbortSignal,
): Promise<DryRun> {
  try {
    await client.for(resource).apply(object as never, { dryRun: true, signal });
    return { state: "taken" };
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    const { code, message } = error;
    if (VERDICTS.has(code) || DENIED.test(message)) return { state: "refused", refusal: { code, message } };
    if (code === 404 && !isNotFound(error)) return { state: "no kind", message };
    throw error;
  }
}
