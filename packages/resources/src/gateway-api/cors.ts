import { s } from "@gatewright/kube/define";
import type { Rule } from "@gatewright/kube/define";
import { headerName } from "./header-filters.ts";
import { HTTP_METHODS } from "./http-methods.ts";

const ORIGIN = String.raw`(^\*$)|(^(http(s)?):\/\/(((\*\.)?([a-zA-Z0-9\-]+\.)*[a-zA-Z0-9-]+|\*)(:([0-9]{1,5}))?)$)`;

const starAlone: Rule = { rule: "!('*' in self) || self.size() == 1", message: "* stands alone: it means all" };

/** Which other sites' scripts may call. */
export const cors = s.object(
  {
    allowOrigins: s
      .array(s.string({ minLength: 1, maxLength: 253, pattern: ORIGIN }), {
        description: "Sites that may call: scheme, host and port, with wildcards.",
        maxItems: 64,
        listType: "set",
        rules: [starAlone],
      })
      .optional(),
    allowCredentials: s.boolean({ description: "Whether cookies and the like may be sent." }).optional(),
    allowMethods: s
      .array(s.string({ enum: [...HTTP_METHODS, "*"] }), {
        description: "Methods that may be used.",
        maxItems: 9,
        listType: "set",
        rules: [starAlone],
      })
      .optional(),
    allowHeaders: s
      .array(headerName("A header, or *."), {
        description: "Headers that may be sent.",
        maxItems: 64,
        listType: "set",
        rules: [starAlone],
      })
      .optional(),
    exposeHeaders: s
      .array(headerName("A header, or *."), {
        description: "Headers of answers that scripts may read.",
        maxItems: 64,
        listType: "set",
      })
      .optional(),
    maxAge: s.integer({
      description: "For how many seconds browsers may remember it.",
      format: "int32",
      minimum: 1,
      default: 5,
    }),
  },
  { description: "Answers preflight requests and says which sites may call." },
);
