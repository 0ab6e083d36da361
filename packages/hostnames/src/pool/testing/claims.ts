import type { Claim, Wish } from "../../claims/claim.ts";
import { claimName } from "../../names/index.ts";

export const WISH: Wish = {
  visibility: "internet-facing",
  gatewayClass: "aws-alb",
  namespaces: ["shop"],
  deletionPolicy: "Delete",
};

/** The ARN of the certificate `name`. */
export function arnOf(name: string): string {
  return `arn:aws:acm:eu-west-1:111122223333:certificate/${name}`;
}

/** A claim that is placed on `gw-01` and has a certificate of its own, unless it is said otherwise. */
export function claim(
  hostname: string,
  status: Partial<NonNullable<Claim["status"]>> = {},
  wish: Partial<Wish> = {},
): Claim {
  return {
    apiVersion: "gateway.opendi.com/v1alpha1",
    kind: "DomainClaim",
    metadata: { name: claimName(hostname), uid: `uid-${hostname}`, creationTimestamp: "2030-01-01T00:00:00Z" },
    spec: {
      zoneId: "Z1",
      hostname,
      ownerRef: { namespace: "shop", name: "request", uid: "uid" },
      wish: { ...WISH, ...wish },
    },
    status: { conditions: [], gateway: "gw-01", certificate: { arn: arnOf(hostname) }, ...status },
  };
}
