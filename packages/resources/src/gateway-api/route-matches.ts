import { s } from "@gatewright/kube/define";
import type { Rule } from "@gatewright/kube/define";
import { headerName } from "./header-filters.ts";
import { HTTP_METHODS } from "./http-methods.ts";

const comparison = (description: string) =>
  s.string({ description, enum: ["Exact", "RegularExpression"], default: "Exact" });

const headerMatch = s.object({
  type: comparison("How the value is compared."),
  name: headerName("Header to look at; case does not matter."),
  value: s.string({ description: "Value to compare with.", minLength: 1, maxLength: 4096 }),
});

const headerMatches = s.array(headerMatch, {
  description: "Headers that must all match.",
  maxItems: 16,
  listType: "map",
  listMapKeys: ["name"],
});

const queryMatch = s.object({
  type: comparison("How the value is compared."),
  name: headerName("Query parameter to look at."),
  value: s.string({ description: "Value to compare with.", minLength: 1, maxLength: 1024 }),
});

const literally = (condition: string, message: string): Rule => ({
  rule: `self.type == 'RegularExpression' || ${condition}`,
  message: `a path that is compared literally ${message}`,
});

const pathMatch = s.object(
  {
    type: s.string({
      description: "How the path is compared. A prefix is one of whole path elements.",
      enum: ["Exact", "PathPrefix", "RegularExpression"],
      default: "PathPrefix",
    }),
    value: s.string({ description: "Path to compare with.", maxLength: 1024, default: "/" }),
  },
  {
    description: "Path of the request.",
    default: { type: "PathPrefix", value: "/" },
    rules: [
      literally("self.value.startsWith('/')", "begins with a slash"),
      ...["//", "/./", "/../", "%2f", "%2F", "#"].map((part) =>
        literally(`!self.value.contains('${part}')`, `does not contain ${part}`),
      ),
      ...["/..", "/."].map((end) => literally(`!self.value.endsWith('${end}')`, `does not end with ${end}`)),
      literally(
        `self.value.matches(r"^(?:[-A-Za-z0-9/._~!$&'()*+,;=:@]|[%][0-9a-fA-F]{2})+$")`,
        "consists of characters of URLs",
      ),
    ],
  },
);

/** A request that meets all of it. */
export const httpMatch = s.object({
  path: pathMatch,
  headers: headerMatches.optional(),
  queryParams: s
    .array(queryMatch, {
      description: "Query parameters that must all match.",
      maxItems: 16,
      listType: "map",
      listMapKeys: ["name"],
    })
    .optional(),
  method: s.string({ description: "Method of the request.", enum: HTTP_METHODS }).optional(),
});

const exactly = (field: "service" | "method", pattern: string): Rule => ({
  rule: `self.type != 'Exact' || !has(self.${field}) || self.${field}.matches(r"${pattern}")`,
  message: `${field} that is compared exactly is a name as gRPC has them`,
});

const grpcMethod = s.object(
  {
    type: comparison("How service and method are compared."),
    service: s.string({ description: "Service that is called.", maxLength: 1024 }).optional(),
    method: s.string({ description: "Method that is called.", maxLength: 1024 }).optional(),
  },
  {
    description: "What is called.",
    rules: [
      { rule: "has(self.service) || has(self.method)", message: "service, method or both are named" },
      exactly("service", String.raw`^(?i)\.?[a-z_][a-z_0-9]*(\.[a-z_][a-z_0-9]*)*$`),
      exactly("method", "^[A-Za-z_][A-Za-z_0-9]*$"),
    ],
  },
);

/** A gRPC call that meets all of it. */
export const grpcMatch = s.object({ method: grpcMethod.optional(), headers: headerMatches.optional() });
