import { s } from "@gatewright/kube/define";

const NAME = String.raw`^(\*\.)?[a-zA-Z0-9]([-a-zA-Z0-9]*[a-zA-Z0-9])?(\.[a-zA-Z0-9]([-a-zA-Z0-9]*[a-zA-Z0-9])?)*$`;

/** Hostnames that a route is for. An addition of ours: the original gateway had no host matching. */
export const requestHosts = s
  .array(
    s.string({
      description: "A hostname, which may begin with *. for all names below it.",
      minLength: 1,
      maxLength: 253,
      rules: [
        {
          rule: `self.matches(r"${NAME}")`,
          message:
            "write a hostname such as api.example.com, or *.example.com for all names below it; no scheme, no port",
        },
      ],
    }),
    {
      description: "Hostnames of requests that the route is for. Default: all. Not known to gateways of AVAPIGW.",
      maxItems: 64,
    },
  )
  .optional();
