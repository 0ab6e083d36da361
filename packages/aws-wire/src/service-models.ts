import type { ServiceModel } from "./model.ts";

/** The services whose wire is known. */
export const SERVICE_NAMES = [
  "acm",
  "dynamodb",
  "ec2",
  "ecr",
  "elbv2",
  "iam",
  "rds",
  "route53",
  "s3",
  "secretsmanager",
  "sns",
  "sqs",
  "sts",
  "tagging",
] as const;

export type ServiceName = (typeof SERVICE_NAMES)[number];

const loaders: Readonly<Record<ServiceName, () => Promise<{ readonly default: unknown }>>> = {
  acm: () => import("./models/acm.json", { with: { type: "json" } }),
  dynamodb: () => import("./models/dynamodb.json", { with: { type: "json" } }),
  ec2: () => import("./models/ec2.json", { with: { type: "json" } }),
  ecr: () => import("./models/ecr.json", { with: { type: "json" } }),
  elbv2: () => import("./models/elbv2.json", { with: { type: "json" } }),
  iam: () => import("./models/iam.json", { with: { type: "json" } }),
  rds: () => import("./models/rds.json", { with: { type: "json" } }),
  route53: () => import("./models/route53.json", { with: { type: "json" } }),
  s3: () => import("./models/s3.json", { with: { type: "json" } }),
  secretsmanager: () => import("./models/secretsmanager.json", { with: { type: "json" } }),
  sns: () => import("./models/sns.json", { with: { type: "json" } }),
  sqs: () => import("./models/sqs.json", { with: { type: "json" } }),
  sts: () => import("./models/sts.json", { with: { type: "json" } }),
  tagging: () => import("./models/tagging.json", { with: { type: "json" } }),
};

/** Loads the model of a service: nobody pays for services that they do not speak to. */
export async function loadModel(name: ServiceName): Promise<ServiceModel> {
  return (await loaders[name]()).default as ServiceModel;
}
