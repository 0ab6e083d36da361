import { AwsError } from "../aws-error.ts";

const RESERVED_BEGINNINGS = ["xn--", "sthree-", "amzn-s3-demo-"];
const RESERVED_ENDS = ["-s3alias", "--ol-s3", ".mrap", "--x-s3", "--table-s3"];

/** Refuses a name that no bucket can have. `account-regional` names tell account and region, and end on `-an`. */
export function checkBucketName(
  name: string,
  place: { readonly account: string; readonly region: string; readonly namespace: string | undefined },
): void {
  const regional = `-${place.account}-${place.region}-an`;
  const fits =
    /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name) &&
    !name.includes("..") &&
    !/^\d{1,3}(\.\d{1,3}){3}$/.test(name) &&
    !RESERVED_BEGINNINGS.some((beginning) => name.startsWith(beginning)) &&
    !RESERVED_ENDS.some((end) => name.endsWith(end)) &&
    (place.namespace === "account-regional" ? name.endsWith(regional) : !name.endsWith("-an"));
  if (!fits) {
    throw new AwsError("InvalidBucketName", "The specified bucket is not valid.", { details: { BucketName: name } });
  }
}
