import { isDNS1123Label, isDNS1123Subdomain } from "../../names.ts";
import { method } from "../function.ts";
import type { Library } from "../function.ts";
import { opaqueType } from "../types.ts";
import type { CelType } from "../types.ts";
import { CelError } from "../value.ts";
import type { CelOpaque } from "../value.ts";

/** What an expression asks the authorizer: about a path, or about a resource. */
export interface AuthorizationQuestion {
  readonly verb: string;
  /** The service account that is asked about; undefined for the user of the request. */
  readonly serviceAccount: { readonly namespace: string; readonly name: string } | undefined;
  readonly about: { readonly path: string } | ResourceQuestion;
}

export interface ResourceQuestion {
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly fieldSelector: string;
  readonly labelSelector: string;
}

export interface AuthorizationAnswer {
  readonly allowed: boolean;
  readonly reason: string;
  /** Set when the question could not be answered. */
  readonly error?: string;
}

/** Answers the authorization questions of an expression. Must not throw. */
export type AskAuthorizer = (question: AuthorizationQuestion) => AuthorizationAnswer;

const prefix = "kubernetes.authorization";

/** The type of the `authorizer` variable. */
export const authorizerType: CelType = opaqueType(`${prefix}.Authorizer`);
/** The type of the `authorizer.requestResource` variable. */
export const resourceCheckType: CelType = opaqueType(`${prefix}.ResourceCheck`);

/** A step on the way to a question, or its answer. Values of these types are only called, so each is equal to itself alone. */
class Stage<T> implements CelOpaque {
  readonly kind = "opaque";
  readonly typeName: string;
  readonly state: T;

  constructor(name: string, state: T) {
    this.typeName = `${prefix}.${name}`;
    this.state = state;
  }

  equals(other: CelOpaque): boolean {
    return this === other;
  }
}

interface Asker {
  readonly ask: AskAuthorizer;
  readonly serviceAccount: AuthorizationQuestion["serviceAccount"];
}
type Authorizer = Stage<Asker>;
type PathCheck = Stage<Asker & { readonly path: string }>;
type GroupCheck = Stage<Asker & { readonly group: string }>;
type ResourceCheck = Stage<Asker & { readonly question: ResourceQuestion }>;
type Decision = Stage<AuthorizationAnswer>;

/** The value of `authorizer`. */
export function authorizerValue(ask: AskAuthorizer): CelOpaque {
  return new Stage("Authorizer", { ask, serviceAccount: undefined });
}

/** The value of `authorizer.requestResource`: a check about the resource of the request. */
export function resourceCheckValue(ask: AskAuthorizer, question: ResourceQuestion): CelOpaque {
  return new Stage("ResourceCheck", { ask, serviceAccount: undefined, question });
}

function nonBlank(text: string, what: string): string {
  if (text.trim() === "") throw new CelError(`${what} must not be empty`);
  return text;
}

function serviceAccount({ state }: Authorizer, namespace: string, name: string): Authorizer {
  if (isDNS1123Subdomain(name).length > 0) throw new CelError("Invalid service account name");
  if (isDNS1123Label(namespace).length > 0) throw new CelError("Invalid service account namespace");
  return new Stage("Authorizer", { ...state, serviceAccount: { namespace, name } });
}

function resourceCheck({ state }: GroupCheck, resource: string): ResourceCheck {
  const question = {
    group: state.group,
    resource: nonBlank(resource, "resource"),
    subresource: "",
    namespace: "",
    name: "",
    fieldSelector: "",
    labelSelector: "",
  };
  return new Stage("ResourceCheck", { ask: state.ask, serviceAccount: state.serviceAccount, question });
}

function refine(field: keyof ResourceQuestion): (check: ResourceCheck, value: string) => ResourceCheck {
  return ({ state }, value) =>
    new Stage("ResourceCheck", { ...state, question: { ...state.question, [field]: value } });
}

function decide({ ask, serviceAccount: asked }: Asker, verb: string, about: AuthorizationQuestion["about"]): Decision {
  return new Stage("Decision", ask({ verb, serviceAccount: asked, about }));
}

const [authorizer, path, group, resource, decision] = [
  "Authorizer",
  "PathCheck",
  "GroupCheck",
  "ResourceCheck",
  "Decision",
].map((name) => `${prefix}.${name}`);

/** Questions to the authorizer, in admission expressions. */
export const authorization: Library = [
  [
    "path",
    [
      method(
        "authorizer_path",
        `${authorizer}, string -> ${path}`,
        ({ state }: Authorizer, text: string) => new Stage("PathCheck", { ...state, path: nonBlank(text, "path") }),
      ),
    ],
  ],
  [
    "group",
    [
      method(
        "authorizer_group",
        `${authorizer}, string -> ${group}`,
        ({ state }: Authorizer, name: string) => new Stage("GroupCheck", { ...state, group: name }),
      ),
    ],
  ],
  [
    "serviceAccount",
    [method("authorizer_serviceaccount", `${authorizer}, string, string -> ${authorizer}`, serviceAccount)],
  ],
  ["resource", [method("groupcheck_resource", `${group}, string -> ${resource}`, resourceCheck)]],
  ["subresource", [method("resourcecheck_subresource", `${resource}, string -> ${resource}`, refine("subresource"))]],
  ["namespace", [method("resourcecheck_namespace", `${resource}, string -> ${resource}`, refine("namespace"))]],
  ["name", [method("resourcecheck_name", `${resource}, string -> ${resource}`, refine("name"))]],
  [
    "fieldSelector",
    [method("authorizer_fieldselector", `${resource}, string -> ${resource}`, refine("fieldSelector"))],
  ],
  [
    "labelSelector",
    [method("authorizer_labelselector", `${resource}, string -> ${resource}`, refine("labelSelector"))],
  ],
  [
    "check",
    [
      method("pathcheck_check", `${path}, string -> ${decision}`, ({ state }: PathCheck, verb: string) =>
        decide(state, verb, { path: state.path }),
      ),
      method("resourcecheck_check", `${resource}, string -> ${decision}`, ({ state }: ResourceCheck, verb: string) =>
        decide(state, verb, state.question),
      ),
    ],
  ],
  ["allowed", [method("decision_allowed", `${decision} -> bool`, ({ state }: Decision) => state.allowed)]],
  ["reason", [method("decision_reason", `${decision} -> string`, ({ state }: Decision) => state.reason)]],
  ["errored", [method("decision_errored", `${decision} -> bool`, ({ state }: Decision) => state.error !== undefined)]],
  ["error", [method("decision_error", `${decision} -> string`, ({ state }: Decision) => state.error ?? "")]],
];
