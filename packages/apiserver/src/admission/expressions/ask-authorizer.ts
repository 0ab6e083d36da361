import type { AskAuthorizer, ResourceQuestion } from "@gatewright/kube/cel";
import type { Authorizer } from "../../auth/authorizer.ts";
import { AUTHENTICATED } from "../../auth/user.ts";
import type { UserInfo } from "../../auth/user.ts";
import type { AdmissionAttributes } from "../admission.ts";
import { admissionNamespace } from "../matching/admission-namespace.ts";

/** Answers `authorizer…check(…)` for the user of the request, or for the service account that an expression names. */
export function askAuthorizer(authorizer: Authorizer, attributes: AdmissionAttributes): AskAuthorizer {
  return ({ verb, serviceAccount, about }) => {
    const user = serviceAccount ? serviceAccountUser(serviceAccount) : attributes.user;
    if ("path" in about) return authorizer.authorize({ user, verb, path: about.path });
    const { group, resource, subresource, namespace, name } = about;
    return authorizer.authorize({
      user,
      verb,
      resource: { group, version: "*", resource, subresource, namespace, name },
    });
  };
}

/** `authorizer.requestResource`: the resource that the request is about. */
export function requestQuestion(attributes: AdmissionAttributes): ResourceQuestion {
  const { group, resource } = attributes.resource;
  const namespace = admissionNamespace(attributes);
  const { subresource, name } = attributes;
  return { group, resource, subresource, namespace, name, fieldSelector: "", labelSelector: "" };
}

function serviceAccountUser({ namespace, name }: { readonly namespace: string; readonly name: string }): UserInfo {
  const groups = ["system:serviceaccounts", `system:serviceaccounts:${namespace}`, AUTHENTICATED];
  return { username: `system:serviceaccount:${namespace}:${name}`, groups };
}
