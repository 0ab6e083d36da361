import { s } from "@gatewright/kube/define";
import { count, duration } from "./plain-fields.ts";

/** Connections that are kept to each host. */
export const connectionPool = s
  .object(
    {
      maxIdleConns: s.integer({ description: "Connections that are kept without work.", minimum: 1, default: 10 }),
      maxConnsPerHost: s.integer({ description: "Connections to one host at most.", minimum: 1, default: 100 }),
      idleConnTimeout: duration("How long a connection is kept without work. Default, and 0s: 90s."),
      maxPendingRequests: count(
        "Requests that wait for a connection at most; more are answered with 503. Default: 1024. Not known to gateways of AVAPIGW.",
        0,
      ),
    },
    { description: "Connections that are kept to each host." },
  )
  .optional();
