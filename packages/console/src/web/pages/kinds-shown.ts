/** The kinds of each page, by the ids that the server knows them by. */
export const APPLICATIONS = "applications.cloudnative.elide.dev";
export const HOSTNAMES = "gatewayhostnamerequests.gateway.opendi.com";
export const CLAIMS = "domainclaims.gateway.opendi.com";
export const GATEWAYS = "gateways.gateway.networking.k8s.io";
export const CONNECTED = "connectedgateways.avapigw.io";
export const EVENTS = "events";

export const GATEWAY_ROUTES = ["httproutes.gateway.networking.k8s.io", "grpcroutes.gateway.networking.k8s.io"] as const;
export const OWN_ROUTES = ["apiroutes.avapigw.io", "grpcroutes.avapigw.io", "graphqlroutes.avapigw.io"] as const;
export const INGRESSES = "ingresses.networking.k8s.io";

const AWS_GROUP = "aws-infra-operator.runner.codes";
export const AWS_KINDS = [
  "awsproviders",
  "s3buckets",
  "sqsqueues",
  "snstopics",
  "dynamodbtables",
  "rdsinstances",
  "ec2instances",
  "secretsmanagersecrets",
  "iamroles",
  "ecrrepositories",
].map((plural) => `${plural}.${AWS_GROUP}`);
