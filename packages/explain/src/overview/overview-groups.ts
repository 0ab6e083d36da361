import type { Resource } from "@gatewright/kube";
import { networking } from "@gatewright/kube/api";
import {
  APIRoute,
  Application,
  AvapigwGRPCRoute,
  AWSProvider,
  ConnectedGateway,
  DynamoDBTable,
  EC2Instance,
  ECRRepository,
  Gateway,
  GatewayHostnameRequest,
  GraphQLRoute,
  GRPCRoute,
  HTTPRoute,
  IAMRole,
  RDSInstance,
  S3Bucket,
  SecretsManagerSecret,
  SNSTopic,
  SQSQueue,
} from "@gatewright/resources";

export type OverviewGroupId = "applications" | "hostnames" | "routes" | "aws" | "gateways";

interface GroupOfKinds {
  readonly id: OverviewGroupId;
  readonly title: string;
  readonly kinds: readonly Resource[];
}

/** What people look after, in the order in which requests do not find it. */
export const OVERVIEW_GROUPS: readonly GroupOfKinds[] = [
  { id: "applications", title: "Applications", kinds: [Application] },
  { id: "hostnames", title: "Hostnames", kinds: [GatewayHostnameRequest] },
  {
    id: "routes",
    title: "Routes",
    kinds: [HTTPRoute, GRPCRoute, APIRoute, AvapigwGRPCRoute, GraphQLRoute, networking.Ingress],
  },
  {
    id: "aws",
    title: "AWS resources",
    kinds: [
      AWSProvider,
      S3Bucket,
      SQSQueue,
      SNSTopic,
      DynamoDBTable,
      RDSInstance,
      EC2Instance,
      SecretsManagerSecret,
      IAMRole,
      ECRRepository,
    ],
  },
  { id: "gateways", title: "Gateways", kinds: [Gateway, ConnectedGateway] },
];
