import { badRequest, getPath } from "@gatewright/kube";
import type { Authenticator } from "../authenticator.ts";
import type { Review } from "./review-resource.ts";
import { userJson } from "./user-json.ts";

/** Whose token is this? For servers that take our users' tokens. */
export function tokenReview(authenticator: Authenticator): Review {
  return {
    group: "authentication.k8s.io",
    kind: "TokenReview",
    answer(question) {
      const token = getPath(question, "spec", "token");
      const audiences = getPath(question, "spec", "audiences");
      if (typeof token !== "string" || token === "") {
        throw badRequest("token is required for TokenReview in authentication");
      }
      const verdict = authenticator.reviewToken(token, Array.isArray(audiences) ? audiences.map(String) : []);
      if (verdict.type !== "user") {
        const why = verdict.type === "refused" ? verdict.why : "invalid bearer token";
        return { ...question, status: { user: {}, error: why } };
      }
      const user = userJson(verdict.user);
      return { ...question, status: { authenticated: true, user, audiences: [...verdict.audiences] } };
    },
  };
}
