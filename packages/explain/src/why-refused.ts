import type { ApiObject, Immutable, Resource } from "@gatewright/kube";
import type { Answer } from "./answer.ts";
import { grantLinks } from "./explain/http-route.ts";
import type { ParentedRoute } from "./explain/route-state.ts";
import { gather } from "./gather.ts";
import { kubectl } from "./kubectl.ts";
import { link } from "./link.ts";
import type { Reader } from "./reader.ts";
import { subjectOf } from "./subject.ts";
import { answerOf } from "./why.ts";
import type { WhyOptions } from "./why.ts";

/** What an API server says to an object that is to be stored. */
export interface Refusal {
  /** HTTP status. */
  readonly code: number;
  readonly message: string;
}

/** Whether the API server would take an object, and why not. `refusal`: what it said to a dry run; undefined when it took it. */
export async function whyRefused(
  reader: Reader,
  resource: Resource,
  object: Immutable<ApiObject>,
  refusal: Refusal | undefined,
  { now, signal }: Pick<WhyOptions, "now" | "signal">,
): Promise<Answer> {
  const { namespace, name = "" } = object.metadata;
  const subject = subjectOf(resource, { ...(namespace !== undefined && { namespace }), name });
  const title = `${resource.kind} ${name}`;
  return gather(
    { reader, now },
    (known) => {
      const isRoute = resource.group === "gateway.networking.k8s.io" && resource.kind.endsWith("Route");
      const grants = isRoute ? grantLinks(known, object as Immutable<ParentedRoute>) : [];
      if (refusal === undefined) {
        const next = [{ text: "Apply it, then see how it is.", command: kubectl.why(subject) }];
        const root = link({
          title,
          subject,
          state: "ok",
          reason: "Admitted",
          message: "The API server would take it.",
          next,
          on: grants,
        });
        return { ...answerOf(subject, root), verdict: `${subject.kind} ${name} would be taken` };
      }
      const { reason, by, message } = judged(refusal);
      const judge = by === undefined ? [] : [link({ title: by, state: "broken", reason, message, on: grants })];
      const root = link({
        title,
        subject,
        state: "broken",
        reason,
        message: by === undefined ? message : "The API server refuses it.",
        on: judge,
      });
      return { ...answerOf(subject, root), verdict: `${subject.kind} ${name} is refused` };
    },
    signal,
  );
}

const POLICY = /ValidatingAdmissionPolicy '([^']+)' with binding '[^']+' denied request: ([^]*)$/;
const WEBHOOK = /admission webhook "([^"]+)" denied the request:? ?([^]*)$/;

/** Who refused it, by the words of the API server. */
function judged({ code, message }: Refusal): {
  readonly reason: string;
  readonly by?: string;
  readonly message: string;
} {
  const [, policy, said = ""] = POLICY.exec(message) ?? [];
  if (policy !== undefined) return { reason: "DeniedByPolicy", by: `Policy ${policy}`, message: said };
  const [, webhook, words = ""] = WEBHOOK.exec(message) ?? [];
  if (webhook !== undefined) return { reason: "DeniedByWebhook", by: `Webhook ${webhook}`, message: words };
  if (code === 403) return { reason: "NotAllowed", message };
  return { reason: code === 422 || code === 400 ? "Invalid" : "Refused", message };
}
