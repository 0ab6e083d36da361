import { s } from "@gatewright/kube/define";
import type { Rule } from "@gatewright/kube/define";

/** The id of a Route 53 hosted zone, as it is without `/hostedzone/` in front. */
export const zoneId = (description: string, rules: readonly Rule[] = []) =>
  s.string({
    description,
    minLength: 1,
    maxLength: 64,
    rules: [
      {
        rule: "self.matches('^[A-Z0-9]{1,32}$')",
        message: "write the id of the hosted zone alone, such as Z0123456789ABC: capital letters and digits",
      },
      ...rules,
    ],
  });

const arn = (description: string, form: string, message: string) =>
  s.string({
    description,
    minLength: 1,
    maxLength: 2048,
    rules: [{ rule: `self.matches('^arn:aws[-a-z]*:${form}$')`, message }],
  });

/** The ARN of a certificate, in any partition. */
export const certificateArn = (description: string) =>
  arn(
    description,
    "acm:[-a-z0-9]+:[0-9]{12}:certificate/[-A-Za-z0-9]+",
    "write the ARN of a certificate of ACM, such as arn:aws:acm:eu-central-1:123456789012:certificate/1234-abcd",
  );

/** The ARN of a web ACL that load balancers can have, in any partition. */
export const webAclArn = (description: string) =>
  arn(
    description,
    "wafv2:[-a-z0-9]+:[0-9]{12}:regional/webacl/[^/]+/[^/]+",
    "write the ARN of a regional web ACL, such as arn:aws:wafv2:eu-central-1:123456789012:regional/webacl/name/id; those of CloudFront (global) do not fit load balancers",
  );
