import type { ResourceDefinition } from "@gatewright/kube/define";
import { Application } from "./application.ts";
import { AWSProvider } from "./infra/aws-provider.ts";
import { DynamoDBTable } from "./infra/dynamodb-table.ts";
import { ECRRepository } from "./infra/ecr-repository.ts";
import { IAMRole } from "./infra/iam-role.ts";
import { EC2Instance } from "./infra/ec2-instance.ts";
import { RDSInstance } from "./infra/rds-instance.ts";
import { S3Bucket } from "./infra/s3-bucket.ts";
import { SecretsManagerSecret } from "./infra/secrets-manager-secret.ts";
import { SNSTopic } from "./infra/sns-topic.ts";
import { SQSQueue } from "./infra/sqs-queue.ts";
import { DomainClaim } from "./domain-claim.ts";
import { GatewayHostnameRequest } from "./gateway-hostname-request.ts";
import { HostnameGrant } from "./hostname-grant.ts";
import { APIRoute } from "./routing/api-route.ts";
import { Backend } from "./routing/backend.ts";
import { ConnectedGateway } from "./routing/connected-gateway.ts";
import { GRPCBackend } from "./routing/grpc-backend.ts";
import { GRPCRoute } from "./routing/grpc-route.ts";
import { GraphQLBackend } from "./routing/graphql-backend.ts";
import { GraphQLRoute } from "./routing/graphql-route.ts";

/** Every kind of ours: what manifests, reference pages and tests are made from. */
export const allResources: readonly ResourceDefinition[] = [
  APIRoute,
  AWSProvider,
  Application,
  Backend,
  ConnectedGateway,
  DomainClaim,
  DynamoDBTable,
  ECRRepository,
  EC2Instance,
  GRPCBackend,
  GRPCRoute,
  GatewayHostnameRequest,
  GraphQLBackend,
  GraphQLRoute,
  HostnameGrant,
  IAMRole,
  RDSInstance,
  S3Bucket,
  SNSTopic,
  SQSQueue,
  SecretsManagerSecret,
];
