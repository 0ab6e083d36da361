import { s } from "@gatewright/kube/define";
import type { Rule } from "@gatewright/kube/define";
import { cors } from "./cors.ts";
import { fieldsByType } from "./shared-rules.ts";
import { headerModifier } from "./header-filters.ts";
import { localReference } from "./object-references.ts";
import { requestRedirect, urlRewrite } from "./path-filters.ts";
import { requestMirror } from "./request-mirror.ts";

/** Filters that all routes know, by the type that selects each. */
const sharedFields = {
  RequestHeaderModifier: "requestHeaderModifier",
  ResponseHeaderModifier: "responseHeaderModifier",
  RequestMirror: "requestMirror",
  ExtensionRef: "extensionRef",
} as const;

const shared = {
  requestHeaderModifier: headerModifier("Changes headers of the request.").optional(),
  responseHeaderModifier: headerModifier("Changes headers of the answer.").optional(),
  requestMirror: requestMirror.optional(),
  extensionRef: localReference("What an implementation does beyond these, told by an object of its own.").optional(),
};

const TYPE = "Which of the filters this is.";

const once = (...types: readonly string[]): Rule[] =>
  types.map((type) => ({
    rule: `self.filter(f, f.type == '${type}').size() <= 1`,
    message: `a ${type} filter may be there once`,
  }));

const httpFilter = s.object(
  {
    type: s.string({
      description: TYPE,
      enum: [
        "RequestHeaderModifier",
        "ResponseHeaderModifier",
        "RequestMirror",
        "RequestRedirect",
        "URLRewrite",
        "ExtensionRef",
        "CORS",
      ],
    }),
    ...shared,
    requestRedirect: requestRedirect.optional(),
    urlRewrite: urlRewrite.optional(),
    cors: cors.optional(),
  },
  {
    rules: fieldsByType({
      ...sharedFields,
      RequestRedirect: "requestRedirect",
      URLRewrite: "urlRewrite",
      CORS: "cors",
    }),
  },
);

/** What is done to HTTP requests and answers on the way. */
export const httpFilters = (description: string) =>
  s.array(httpFilter, {
    description,
    maxItems: 16,
    listType: "atomic",
    rules: [
      {
        rule: "!(self.exists(f, f.type == 'RequestRedirect') && self.exists(f, f.type == 'URLRewrite'))",
        message: "a request is either redirected or rewritten",
      },
      ...once("RequestHeaderModifier", "ResponseHeaderModifier", "RequestRedirect", "URLRewrite", "CORS"),
    ],
  });

const grpcFilter = s.object(
  {
    type: s.string({
      description: TYPE,
      enum: ["ResponseHeaderModifier", "RequestHeaderModifier", "RequestMirror", "ExtensionRef"],
    }),
    ...shared,
  },
  { rules: fieldsByType(sharedFields) },
);

/** What is done to gRPC calls on the way. */
export const grpcFilters = (description: string) =>
  s.array(grpcFilter, {
    description,
    maxItems: 16,
    listType: "atomic",
    rules: once("RequestHeaderModifier", "ResponseHeaderModifier"),
  });
