import type { SignatureFault } from "@gatewright/aws-wire";

export const MISMATCH =
  "The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key " +
  "and signing method. Consult the service documentation for details.";
export const UNKNOWN_KEY = "The security token included in the request is invalid.";
export const TOKEN_EXPIRED = "The security token included in the request is expired";

/** How far off the moment of a signature is, as most services tell it. */
export function skewText({ signed, now }: Extract<SignatureFault, { readonly kind: "skewed" }>): string {
  return signed < now
    ? `Signature expired: ${compact(signed)} is now earlier than ${compact(now - 15 * 60_000)} (${compact(now)} - 15 min.)`
    : `Signature not yet current: ${compact(signed)} is still later than ${compact(now + 15 * 60_000)} (${compact(now)} + 15 min.)`;
}

/** As the above, for an address whose time is over. */
export function presignedExpiredText(fault: Extract<SignatureFault, { readonly kind: "presigned expired" }>): string {
  return `Signature expired: ${compact(fault.expired)} is now earlier than ${compact(fault.now)}`;
}

/** `20150830T123600Z`. */
function compact(ms: number): string {
  return new Date(ms).toISOString().replace(/[-:]|\.\d{3}/g, "");
}

/** `User: arn is not authorized to perform: acm:DeleteCertificate …`. */
export function deniedText(arn: string, action: string): string {
  return `User: ${arn} is not authorized to perform: ${action} because no identity-based policy allows the ${action} action`;
}
