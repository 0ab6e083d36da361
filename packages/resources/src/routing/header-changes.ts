import { s } from "@gatewright/kube/define";
import { textMap, texts } from "./plain-fields.ts";

/** Changes of one side's headers. */
export const headerChanges = (description: string) =>
  s
    .object(
      {
        set: textMap("Headers that get this value, and no other."),
        add: textMap("Values that are added."),
        remove: texts("Headers that go."),
      },
      { description },
    )
    .optional();

/** Changes of headers both ways. */
export const headers = s
  .object(
    {
      request: headerChanges("Headers of requests, on their way to the backend."),
      response: headerChanges("Headers of answers, on their way to the client."),
    },
    { description: "Changes headers." },
  )
  .optional();
