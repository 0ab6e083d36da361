import { exactlyOneOf, s } from "@gatewright/kube/define";
import { duration, port, requiredText } from "./plain-fields.ts";

/** The addresses of a backend. */
export const backendHosts = s.array(
  s.object({
    address: requiredText("Hostname or address."),
    port: port("Port."),
    weight: s.integer({
      description: "How much it takes, compared with the other hosts. 0: nothing, unless all have 0.",
      minimum: 0,
      maximum: 100,
      default: 1,
    }),
  }),
  { description: "Where the backend is.", minItems: 1 },
);

const consistentHash = s
  .object(
    {
      header: requiredText("By the value of this header.").optional(),
      cookie: requiredText("By the value of this cookie.").optional(),
      query: requiredText("By the value of this query parameter.").optional(),
      sourceAddress: s.boolean({ description: "By the client's address." }).optional(),
    },
    {
      description: "What requests that go to the same host have in common. Default: the client's address.",
      rules: [exactlyOneOf("header", "cookie", "query", "sourceAddress")],
    },
  )
  .optional();

const sticky = s
  .object(
    {
      cookieName: s
        .string({
          description: "Name of the cookie. Default: gateway-sticky.",
          maxLength: 128,
          rules: [
            {
              rule: 'self.matches(r"^[-!#$%&\'*+.^_`|~0-9A-Za-z]+$")',
              message: "names of cookies are letters, digits and -!#$%&'*+.^_`|~",
            },
          ],
        })
        .optional(),
      ttl: duration("How long clients keep it. Default, and 0s: until the browser is closed."),
    },
    { description: "Cookie that keeps clients at their host." },
  )
  .optional();

/** How requests are spread over the hosts. */
export const loadBalancer = s
  .object(
    {
      algorithm: s.string({
        description:
          "How the next host is found. leastRequest, consistentHash and sticky are not known to gateways of AVAPIGW.",
        enum: ["roundRobin", "weighted", "leastConn", "random", "leastRequest", "consistentHash", "sticky"],
        default: "roundRobin",
      }),
      consistentHash,
      sticky,
    },
    {
      description: "How requests are spread over the hosts.",
      rules: ["consistentHash", "sticky"].map((block) => ({
        rule: `!has(self.${block}) || self.algorithm == '${block}'`,
        message: `the block ${block} is for algorithm ${block}: set algorithm, or leave the block out`,
      })),
    },
  )
  .optional();
