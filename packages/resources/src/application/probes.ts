import { exactlyOneOf, s } from "@gatewright/kube/define";
import type { Rule } from "@gatewright/kube/define";

const port = s.intOrString({ description: "Number of the port, or its name in ports.", maxLength: 15 });
const count = (description: string, minimum: number) =>
  s.integer({ description, format: "int32", minimum, maximum: 86_400 }).optional();

const handlers = {
  httpGet: s
    .object(
      {
        path: s.string({ description: "Path that is asked for.", maxLength: 2048, default: "/" }),
        port,
        scheme: s.string({ description: "How it is asked.", enum: ["HTTP", "HTTPS"], default: "HTTP" }),
      },
      { description: "Fine when an HTTP request is answered with a status from 200 to 399." },
    )
    .optional(),
  tcpSocket: s.object({ port }, { description: "Fine when a connection can be made." }).optional(),
  grpc: s
    .object(
      {
        port: s.integer({ description: "Number of the port.", format: "int32", minimum: 1, maximum: 65_535 }),
        service: s.string({ description: "The service that is asked about.", maxLength: 253 }).optional(),
      },
      { description: "Fine when the gRPC health service says so." },
    )
    .optional(),
  exec: s
    .object(
      {
        command: s.array(s.string({ maxLength: 32_768 }), {
          description: "The command and its arguments.",
          minItems: 1,
          maxItems: 64,
        }),
      },
      { description: "Fine when a command in the container ends with code 0." },
    )
    .optional(),
};

const timing = {
  initialDelaySeconds: count("How long after the start it is first asked.", 0),
  periodSeconds: count("How often it is asked. Default: 10.", 1),
  timeoutSeconds: count("How long an answer may take. Default: 1.", 1),
  failureThreshold: count("After how many failures in a row it counts as failed. Default: 3.", 1),
};

const successThreshold = count("After how many successes in a row it counts as fine. Default: 1.", 1);
const rules = [exactlyOneOf("httpGet", "tcpSocket", "grpc", "exec")];

/** How each pod is asked how it is. Same names as in a pod. */
export const probes = s
  .object(
    {
      startup: s
        .object({ ...handlers, ...timing }, { description: "Asked first, until it is fine.", rules })
        .optional(),
      readiness: s
        .object(
          { ...handlers, ...timing, successThreshold },
          { description: "While it fails the pod gets no traffic.", rules },
        )
        .optional(),
      liveness: s
        .object({ ...handlers, ...timing }, { description: "When it fails the container is started again.", rules })
        .optional(),
    },
    { description: "How each pod is asked how it is." },
  )
  .optional();

/** What `probes` need of the rest of the spec: a name that no port has would be asked for in vain, without a word. */
export const probeRules: readonly Rule[] = ["startup", "readiness", "liveness"].flatMap((probe) =>
  ["httpGet", "tcpSocket"].map((handler) => {
    const at = `self.probes.${probe}.${handler}`;
    const known = `type(${at}.port) == int ? int(${at}.port) > 0 && int(${at}.port) < 65536 : has(self.ports) && self.ports.exists(p, p.name == string(${at}.port))`;
    return {
      rule: `!has(self.probes) || !has(self.probes.${probe}) || !has(${at}) || (${known})`,
      message: "the port of a probe is a number from 1 to 65535 or the name of one in ports",
      fieldPath: `.probes.${probe}.${handler}.port`,
    };
  }),
);
