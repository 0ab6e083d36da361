import { AwsError } from "../aws-error.ts";

/** Where there is no location to speak of. */
const FIRST_REGION = "us-east-1";

/** Refuses a location that is not the region the request was sent to: there it must be said, except in us-east-1, where it must not. */
export function checkLocation(location: string | undefined, region: string): void {
  if (location !== undefined && (location === FIRST_REGION || !/^(EU|[a-z]{2,4}(-[a-z]+)+-\d+)$/.test(location))) {
    throw new AwsError("InvalidLocationConstraint", "The specified location-constraint is not valid", {
      details: { LocationConstraint: location },
    });
  }
  const meant = location === "EU" ? "eu-west-1" : (location ?? FIRST_REGION);
  if (meant !== region) {
    throw new AwsError(
      "IllegalLocationConstraintException",
      `The ${location ?? "unspecified"} location constraint is incompatible for the region specific endpoint this request was sent to.`,
    );
  }
}

/** What GetBucketLocation says of a region: nothing for us-east-1. */
export function locationOf(region: string): string | undefined {
  return region === FIRST_REGION ? undefined : region;
}
