import { formatTime } from "@gatewright/kube";
import type { Review } from "./review-resource.ts";
import { userJson } from "./user-json.ts";

/** Who am I? `kubectl auth whoami`. */
export const selfSubjectReview: Review = {
  group: "authentication.k8s.io",
  kind: "SelfSubjectReview",
  answer: (question, { user, now }) => ({
    kind: question.kind,
    apiVersion: question.apiVersion,
    metadata: { creationTimestamp: formatTime(now) },
    status: { userInfo: userJson(user) },
  }),
};
