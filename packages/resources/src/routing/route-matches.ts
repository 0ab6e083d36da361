import { s } from "@gatewright/kube/define";
import type { Rule } from "@gatewright/kube/define";
import { filled, flag, isOn, text } from "./plain-fields.ts";
import { oneComparison, regex, stringMatch } from "./string-match.ts";

const METHODS = ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "TRACE", "CONNECT", "*"];

/** As far as servers need it to know rules cheap. */
const MANY = { maxItems: 128 };
const SOME = { maxItems: 32 };

const PRESENT_OR_ABSENT: Rule = {
  rule: `!(${isOn("self.present")} && ${isOn("self.absent")})`,
  message: "present and absent cannot both be true",
};

const TOKEN: Rule = {
  rule: 'self.matches(r"^[-!#$%&\'*+.^_`|~0-9A-Za-z]+$")',
  message: "names of headers are letters, digits and -!#$%&'*+.^_`|~",
};

const fieldName = (description: string, rules: readonly Rule[] = []) =>
  s.string({ description, minLength: 1, maxLength: 256, rules });

const compared = {
  exact: text("The whole value."),
  prefix: text("What the value begins with."),
  regex: regex("Regular expression for the whole value."),
};

const fieldMatch = (description: string, rules: readonly Rule[]) =>
  s.object(
    {
      name: fieldName(description, rules),
      ...compared,
      present: flag("Whether it must be there."),
      absent: flag("Whether it must not be there."),
    },
    { rules: [oneComparison, PRESENT_OR_ABSENT] },
  );

const headerMatch = fieldMatch("Header to look at; case does not matter.", [TOKEN]);
const metadataMatch = fieldMatch("Metadata to look at.", []);

const queryMatch = s.object(
  {
    name: s.string({ description: "Query parameter to look at.", minLength: 1 }),
    exact: text("The whole value."),
    regex: regex("Regular expression for the whole value."),
    present: flag("Whether the parameter must be there."),
  },
  {
    rules: [
      {
        rule: "!(has(self.exact) && self.exact != '' && has(self.regex) && self.regex != '')",
        message: "at most one of exact or regex may be set",
      },
    ],
  },
);

/** HTTP requests that a route is for. */
export const httpMatches = s
  .array(
    s.object({
      uri: stringMatch("Path of the request.", {
        exact: "The whole path. {name} stands for one element.",
        prefix:
          "First elements of the path: /api is for /api and /api/x, not for /apix. {name} stands for one element.",
      }),
      methods: s
        .array(
          s.string({
            maxLength: 16,
            rules: [
              {
                rule: `self.upperAscii() in [${METHODS.map((name) => `'${name}'`).join(", ")}]`,
                message: `write one of ${METHODS.join(", ")}`,
              },
            ],
          }),
          { description: "Methods of the request. GET is for HEAD too. Default, and *: all.", ...SOME },
        )
        .optional(),
      headers: s.array(headerMatch, { description: "Headers that must all match.", ...SOME }).optional(),
      queryParams: s.array(queryMatch, { description: "Query parameters that must all match.", ...SOME }).optional(),
    }),
    { description: "Requests that the route is for: those that meet all of one of these. Default: all.", ...MANY },
  )
  .optional();

const name = (what: string) => ({
  exact: `The whole name of the ${what}; * for all.`,
  prefix: "What the name begins with.",
});

const PARTS = ["service", "method", "authority"];
const LISTS = ["metadata", "withoutHeaders"];

/** gRPC calls that a route is for. */
export const grpcMatches = s
  .array(
    s.object(
      {
        service: stringMatch("Service that is called, with its package.", name("service")),
        method: stringMatch("Method that is called.", name("method")),
        authority: stringMatch("Host that is called.", {
          exact: "The whole name.",
          prefix: "What the name begins with.",
        }),
        metadata: s.array(metadataMatch, { description: "Metadata that must all match.", ...SOME }).optional(),
        withoutHeaders: s
          .array(fieldName("Name of metadata."), { description: "Metadata that must not be there.", ...SOME })
          .optional(),
      },
      {
        rules: [
          {
            rule: [...PARTS.map((part) => `has(self.${part})`), ...LISTS.map((list) => filled(`self.${list}`))].join(
              " || ",
            ),
            message: `a match says something; for all calls write service: {exact: "*"}`,
          },
        ],
      },
    ),
    { description: "Calls that the route is for: those that meet all of one of these.", ...MANY },
  )
  .optional();

/** GraphQL requests that a route is for. */
export const graphqlMatches = s
  .array(
    s.object({
      path: stringMatch("Path of the request. Default: the gateway's path for GraphQL.", {
        exact: "The whole path.",
        prefix: "First elements of the path.",
      }),
      operationType: s
        .string({ description: "Type of the operation.", enum: ["query", "mutation", "subscription"] })
        .optional(),
      operationName: stringMatch("Name of the operation.", {
        exact: "The whole name.",
        prefix: "What the name begins with.",
      }),
      headers: s
        .array(
          s.object(
            { name: fieldName("Header to look at; case does not matter."), ...compared },
            { rules: [oneComparison] },
          ),
          { description: "Headers that must all match.", ...SOME },
        )
        .optional(),
    }),
    { description: "Requests that the route is for: those that meet all of one of these. Default: all.", ...MANY },
  )
  .optional();
