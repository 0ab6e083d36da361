import { AwsError } from "../aws-error.ts";

/** Refusals that several operations share, in the words of S3. */
export const noSuchBucket = (bucket: string): AwsError =>
  new AwsError("NoSuchBucket", "The specified bucket does not exist", { status: 404, details: { BucketName: bucket } });

export const noSuchKey = (key: string, headers?: Readonly<Record<string, string>>): AwsError =>
  new AwsError("NoSuchKey", "The specified key does not exist.", {
    status: 404,
    details: { Key: key },
    ...(headers && { headers }),
  });

export const noSuchVersion = (key: string, versionId: string): AwsError =>
  new AwsError("NoSuchVersion", "The specified version does not exist.", {
    status: 404,
    details: { Key: key, VersionId: versionId },
  });

export const noSuchUpload = (uploadId: string): AwsError =>
  new AwsError(
    "NoSuchUpload",
    "The specified upload does not exist. The upload ID may be invalid, or the upload may have been aborted or completed.",
    { status: 404, details: { UploadId: uploadId } },
  );

export const accessDenied = (message = "Access Denied", headers?: Readonly<Record<string, string>>): AwsError =>
  new AwsError("AccessDenied", message, { status: 403, ...(headers && { headers }) });

export const malformedXml = (): AwsError =>
  new AwsError(
    "MalformedXML",
    "The XML you provided was not well-formed or did not validate against our published schema",
  );

export const invalidArgument = (message: string, name?: string, value?: string | number): AwsError =>
  new AwsError("InvalidArgument", message, {
    details: {
      ...(name !== undefined && { ArgumentName: name }),
      ...(value !== undefined && { ArgumentValue: value }),
    },
  });

export const invalidRequest = (message: string): AwsError => new AwsError("InvalidRequest", message);

export const invalidBucketState = (message: string): AwsError =>
  new AwsError("InvalidBucketState", message, { status: 409 });

export const preconditionFailed = (condition: string): AwsError =>
  new AwsError("PreconditionFailed", "At least one of the pre-conditions you specified did not hold", {
    status: 412,
    details: { Condition: condition },
  });
