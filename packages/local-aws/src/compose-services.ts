import { createAcm } from "./acm/create-acm.ts";
import type { Acm, AcmOptions } from "./acm/create-acm.ts";
import { createDynamoDb } from "./dynamodb/create-dynamodb.ts";
import { createEc2 } from "./ec2/create-ec2.ts";
import type { Ec2Options } from "./ec2/create-ec2.ts";
import { createEcr } from "./ecr/create-ecr.ts";
import { createElbv2 } from "./elbv2/elbv2.ts";
import type { Elbv2, Elbv2Options } from "./elbv2/elbv2.ts";
import { createIam } from "./iam/create-iam.ts";
import type { IssuedCredentials } from "./neighbours.ts";
import { createRds } from "./rds/create-rds.ts";
import type { RdsOptions } from "./rds/create-rds.ts";
import { createRoute53 } from "./route53/create-route53.ts";
import type { Route53 } from "./route53/create-route53.ts";
import { createS3 } from "./s3/create-s3.ts";
import type { S3, S3Options } from "./s3/create-s3.ts";
import { createSecretsManager } from "./secretsmanager/create-secrets-manager.ts";
import type { Service } from "./service.ts";
import { createSns } from "./sns/create-sns.ts";
import { createSqs } from "./sqs/create-sqs.ts";
import type { Sqs } from "./sqs/create-sqs.ts";
import { createSts } from "./sts/create-sts.ts";
import type { StsOptions } from "./sts/create-sts.ts";
import { createTagging } from "./tagging/create-tagging.ts";
import type { AwsWorld } from "./world.ts";

export interface ComposeOptions {
  readonly sts?: StsOptions;
  readonly acm?: AcmOptions;
  readonly elb?: Pick<Elbv2Options, "quotas" | "addressing">;
  readonly ec2?: Pick<Ec2Options, "metadataTags">;
  readonly rds?: Pick<RdsOptions, "quota">;
  readonly s3?: S3Options;
  /** What URLs of queues begin with. */
  readonly endpoint?: () => string;
}

/** All services, each knowing of its neighbours what it may. */
export interface Services {
  readonly all: readonly Service[];
  readonly acm: Acm;
  readonly route53: Route53;
  readonly elb: Elbv2;
  readonly sqs: Sqs;
  readonly s3: S3;
  readonly issued: IssuedCredentials;
}

/** Puts the services together. Neighbours ask each other only while operations run, so the circle of them can be closed late. */
export function composeServices(world: AwsWorld, options: ComposeOptions = {}): Services {
  const acm = createAcm(
    world,
    {
      dns: { lookup: (name, type) => route53.dns.lookup(name, type) },
      use: { usersOf: (arn) => elb.certificateUse.usersOf(arn) },
    },
    options.acm,
  );
  const ec2 = createEc2(world, options.ec2);
  const elb = createElbv2(world, {
    ...options.elb,
    certificates: acm.certificates,
    subnetOf: ({ account, region }, id) => ec2.networks.subnet(account, region, id),
  });
  const route53 = createRoute53(world, { loadBalancers: elb.names });
  const sts = createSts(world, options.sts);
  const s3 = createS3(world, options.s3);
  const sqs = createSqs(world, options.endpoint && { endpoint: options.endpoint });
  const sns = createSns(world, { queues: sqs.inlets });
  const dynamodb = createDynamoDb(world);
  const rds = createRds(world, { ...options.rds, networks: ec2.networks });
  const secrets = createSecretsManager(world);
  const iam = createIam(world);
  const ecr = createEcr(world);
  const tagging = createTagging(
    [acm, route53, elb, s3, sqs, sns, dynamodb, rds, ec2, secrets, ecr].map(({ tagged }) => tagged),
  );
  const all = [acm, route53, elb, sts, s3, sqs, sns, dynamodb, rds, ec2, secrets, iam, ecr, tagging].map(
    ({ service }) => service,
  );
  return { all, acm, route53, elb, sqs, s3, issued: sts.issued };
}
