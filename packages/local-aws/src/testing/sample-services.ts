import type { Operations as AcmOperations } from "@gatewright/aws-wire/types/acm";
import type { Operations as S3Operations } from "@gatewright/aws-wire/types/s3";
import type { Operations as StsOperations } from "@gatewright/aws-wire/types/sts";
import { AwsError } from "../aws-error.ts";
import { service } from "../service.ts";
import type { Service } from "../service.ts";

/** Services that do just enough to be called: one that says who calls, one that refuses and breaks, one that keeps bytes. */
export function sampleServices(): { readonly services: readonly Service[]; readonly requested: string[] } {
  const requested: string[] = [];
  const objects = new Map<string, Uint8Array>();
  const bodyOf = (input: { readonly Bucket: string; readonly Key: string }): Uint8Array => {
    const body = objects.get(`${input.Bucket}/${input.Key}`);
    if (!body) throw new AwsError("NoSuchKey", "The specified key does not exist.", { status: 404 });
    return body;
  };
  const services = [
    service<StsOperations>("sts", {
      GetCallerIdentity: (_input, { account, caller }) => ({
        Account: account,
        Arn: caller.arn,
        UserId: caller.userId,
      }),
      AssumeRoleWithWebIdentity: (_input, { caller }) => ({ Audience: caller.account === "" ? "nobody" : "somebody" }),
    }),
    service<AcmOperations>("acm", {
      RequestCertificate: ({ DomainName }) => {
        requested.push(DomainName);
        return { CertificateArn: `arn:aws:acm:eu-west-1:000000000000:certificate/${requested.length}` };
      },
      DescribeCertificate: () => {
        throw new AwsError("ResourceNotFoundException", "Could not find it.");
      },
      ListCertificates: () => {
        throw new TypeError("a bug with a secret in it");
      },
    }),
    service<S3Operations>("s3", {
      PutObject: (input) => {
        objects.set(`${input.Bucket}/${input.Key}`, input.Body ?? new Uint8Array(0));
        return {};
      },
      GetObject: (input) => ({ Body: bodyOf(input) }),
      HeadObject: (input) => ({ ContentLength: bodyOf(input).length }),
    }),
  ];
  return { services, requested };
}
