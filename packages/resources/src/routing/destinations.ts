import { s } from "@gatewright/kube/define";
import { percentage, port, requiredText } from "./plain-fields.ts";

/** Where requests go: the name of a backend, or an address. */
export const destination = s.object(
  {
    host: requiredText(
      "Name of a backend of the route's namespace. Where there is none of that name: a hostname or address to dial.",
    ),
    port: port("Port to dial where host is no backend's name."),
  },
  { description: "Where the requests go." },
);

/** Where a route leads, and in which shares. */
export const destinations = s
  .array(
    s.object({
      destination,
      weight: s.integer({
        description:
          "Share of the requests, in percent. When all destinations have 100, the default, the shares are equal.",
        minimum: 0,
        maximum: 100,
        default: 100,
      }),
    }),
    {
      description: "Where requests go, by weight.",
      maxItems: 64,
      rules: [
        {
          rule: "size(self) < 2 || self.all(d, d.weight == 100) || self.all(d, d.weight == 0) || self.map(d, d.weight).sum() == 100",
          message: "the weights of several destinations sum to 100; leave all of them out for equal shares",
        },
      ],
    },
  )
  .optional();

/** Where copies of requests go; their answers are dropped. */
export const mirror = s
  .object(
    { destination, percentage: percentage("Share of the requests that are copied, in percent.") },
    { description: "Sends copies of requests elsewhere and drops what comes back." },
  )
  .optional();
