import { s } from "@gatewright/kube/define";
import { flag, percentage, port, text, textMap } from "./plain-fields.ts";

const status = (description: string) => s.integer({ description, minimum: 100, maximum: 599 });

/** Sends clients elsewhere. */
export const redirect = s
  .object(
    {
      code: s.integer({ description: "Status of the answer.", enum: [301, 302, 303, 307, 308], default: 302 }),
      scheme: s
        .string({ description: "Scheme of the new address. Default: as asked.", enum: ["http", "https"] })
        .optional(),
      host: text("Host of the new address. Default: as asked."),
      port: port("Port of the new address. Default: as asked, or that of the scheme.").optional(),
      uri: text("Path of the new address, or all of it. Default: as asked."),
      stripQuery: flag("Leave the query out."),
    },
    { description: "Sends clients elsewhere." },
  )
  .optional();

/** Changes where requests go on from here. */
export const rewrite = s
  .object(
    {
      uri: text(
        "Path that takes the place of the matched prefix, or of the whole path where none was matched; {name} is what matched there.",
      ),
      authority: text("Host that the backend sees."),
    },
    { description: "Changes path and host of requests." },
  )
  .optional();

/** Answers by itself. */
export const directResponse = s
  .object(
    {
      status: status("Status of the answer."),
      body: text("Body of the answer."),
      headers: textMap("Headers of the answer."),
    },
    { description: "Answers by itself." },
  )
  .optional();

/** Makes things go wrong on purpose. */
export const fault = s
  .object(
    {
      delay: s
        .object(
          {
            fixedDelay: s.duration({ description: "How long requests wait." }),
            percentage: percentage("How many of them, in percent."),
          },
          { description: "Makes requests wait." },
        )
        .optional(),
      abort: s
        .object(
          {
            httpStatus: status("Status of the answer."),
            percentage: percentage("How many of the requests, in percent."),
          },
          { description: "Answers with an error." },
        )
        .optional(),
    },
    { description: "Makes things go wrong on purpose, for tests." },
  )
  .optional();
