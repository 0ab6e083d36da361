import { s } from "@gatewright/kube/define";
import { fieldsByType } from "./shared-rules.ts";
import { portNumber, preciseHostname } from "./name-fields.ts";

const pathModifier = (description: string) =>
  s.object(
    {
      type: s.string({ description: "Which part is replaced.", enum: ["ReplaceFullPath", "ReplacePrefixMatch"] }),
      replaceFullPath: s.string({ description: "The new path.", maxLength: 1024 }).optional(),
      replacePrefixMatch: s
        .string({ description: "What takes the place of the prefix that matched.", maxLength: 1024 })
        .optional(),
    },
    {
      description,
      rules: fieldsByType({ ReplaceFullPath: "replaceFullPath", ReplacePrefixMatch: "replacePrefixMatch" }),
    },
  );

/** An answer that sends the client elsewhere. What is left out stays as it was in the request. */
export const requestRedirect = s.object(
  {
    scheme: s.string({ description: "Scheme to go to.", enum: ["http", "https"] }).optional(),
    hostname: preciseHostname("Hostname to go to.").optional(),
    path: pathModifier("Path to go to.").optional(),
    port: portNumber("Port to go to. Default: that of the scheme, or of the listener.").optional(),
    statusCode: s.integer({ description: "Status of the answer.", enum: [301, 302, 303, 307, 308], default: 302 }),
  },
  { description: "Answers with a redirect." },
);

/** Changes to the request before the backend sees it. */
export const urlRewrite = s.object(
  {
    hostname: preciseHostname("Host header that the backend sees.").optional(),
    path: pathModifier("Path that the backend sees.").optional(),
  },
  { description: "Changes host and path of the request." },
);
