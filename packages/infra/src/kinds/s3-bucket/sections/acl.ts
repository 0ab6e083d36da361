import type { BucketSeen } from "../bucket-seen.ts";

const GROUP = "http://acs.amazonaws.com/groups/";
const CANNED: ReadonlyMap<string, string> = new Map([
  ["", "private"],
  [`${GROUP}global/AllUsers READ`, "public-read"],
  [`${GROUP}global/AllUsers READ,${GROUP}global/AllUsers WRITE`, "public-read-write"],
  [`${GROUP}global/AuthenticatedUsers READ`, "authenticated-read"],
  [`${GROUP}s3/LogDelivery READ_ACP,${GROUP}s3/LogDelivery WRITE`, "log-delivery-write"],
]);

/** The name of the grants that a bucket has, `custom` for those that have none. What the owner may do is not looked at. */
export function cannedAcl({ Owner: owner, Grants: grants = [] }: NonNullable<BucketSeen["acl"]>): string {
  const others = grants
    .filter(({ Grantee: grantee }) => grantee?.ID === undefined || grantee.ID !== owner?.ID)
    .map(({ Grantee: grantee, Permission: permission }) => `${grantee?.URI ?? grantee?.ID ?? ""} ${permission ?? ""}`);
  return CANNED.get(others.toSorted().join()) ?? "custom";
}
