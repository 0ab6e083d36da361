import { s } from "@gatewright/kube/define";
import { count, flag, texts } from "./plain-fields.ts";

const METHODS = ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "*"];

/** Which other sites' scripts may call. */
export const cors = s
  .object(
    {
      allowOrigins: texts("Sites that may call: https://shop.example.com, https://*.example.com, or * for all."),
      allowMethods: s
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
          { description: "Methods that may be used.", maxItems: 32 },
        )
        .optional(),
      allowHeaders: texts("Headers that may be sent."),
      exposeHeaders: texts("Headers of answers that scripts may read."),
      allowCredentials: flag("Whether cookies and the like may be sent."),
      maxAge: count("For how many seconds browsers may remember it.", 0),
    },
    { description: "Answers preflight requests and says which sites may call." },
  )
  .optional();
