interface ReviewRequest {
  readonly uid: string;
}

interface WebhookAnswer {
  readonly status: number;
  readonly type?: string;
  readonly body: unknown;
}

const review = (response: object): WebhookAnswer => ({
  status: 200,
  body: { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", response },
});

const patched =
  (patch: unknown, more: object = {}) =>
  ({ uid }: ReviewRequest): WebhookAnswer =>
    review({
      uid,
      allowed: true,
      patchType: "JSONPatch",
      patch: Buffer.from(JSON.stringify(patch)).toString("base64"),
      ...more,
    });

/** What webhooks of the cases answer, by the name in their path. */
export const ANSWERS: Readonly<Record<string, (request: ReviewRequest) => WebhookAnswer>> = {
  allow: ({ uid }) => review({ uid, allowed: true }),
  deny: ({ uid }) => review({ uid, allowed: false }),
  "deny-message": ({ uid }) => review({ uid, allowed: false, status: { message: "not on my watch" } }),
  "deny-code": ({ uid }) => review({ uid, allowed: false, status: { message: "gone fishing", code: 418 } }),
  "deny-reason": ({ uid }) =>
    review({ uid, allowed: false, status: { message: "no", reason: "Invalid", code: 422, details: { name: "x" } } }),
  warn: ({ uid }) => review({ uid, allowed: true, warnings: ["mind the gap", "and the step"] }),
  annotate: ({ uid }) => review({ uid, allowed: true, auditAnnotations: { seen: "yes" } }),
  "wrong-uid": () => review({ uid: "somebody-else", allowed: true }),
  "no-response": () => ({ status: 200, body: { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview" } }),
  "wrong-kind": ({ uid }) => ({
    status: 200,
    body: { apiVersion: "admission.k8s.io/v1", kind: "Review", response: { uid, allowed: true } },
  }),
  "not-json": () => ({ status: 200, type: "text/plain", body: "hello" }),
  "server-error": () => ({ status: 500, type: "text/plain", body: "out of order" }),
  "add-data": patched([{ op: "add", path: "/data/added", value: "by webhook" }]),
  "add-label": patched([{ op: "add", path: "/metadata/labels", value: { webhook: "yes" } }]),
  "add-unknown": patched([{ op: "add", path: "/unknown", value: 1 }]),
  "add-invalid": patched([{ op: "add", path: "/data/not valid", value: "x" }]),
  "failing-patch": patched([{ op: "remove", path: "/nothing/here" }]),
  "bad-patch": patched("nonsense"),
  "patch-without-type": ({ uid }) => review({ uid, allowed: true, patch: Buffer.from("[]").toString("base64") }),
};
