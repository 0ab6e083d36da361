import type { Resource } from "../../resources/resource.ts";
import type { Authenticator } from "../authenticator.ts";
import type { RbacAuthorizer } from "../rbac/rbac-authorizer.ts";
import { localSubjectAccessReview, selfSubjectAccessReview, subjectAccessReview } from "./access-review.ts";
import { reviewResource } from "./review-resource.ts";
import { selfSubjectRulesReview } from "./rules-review.ts";
import { selfSubjectReview } from "./self-subject-review.ts";
import { tokenReview } from "./token-review.ts";

export interface ReviewDeps {
  readonly authenticator: Authenticator;
  readonly authorizer: RbacAuthorizer;
}

/** The kinds that ask about identity and access: authentication.k8s.io and authorization.k8s.io. */
export function reviewResources({ authenticator, authorizer }: ReviewDeps): Resource[] {
  return [
    selfSubjectReview,
    tokenReview(authenticator),
    localSubjectAccessReview(authorizer),
    selfSubjectAccessReview(authorizer),
    selfSubjectRulesReview(authorizer),
    subjectAccessReview(authorizer),
  ].map(reviewResource);
}
