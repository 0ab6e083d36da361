export { allResources } from "./all-resources.ts";
export { Application } from "./application.ts";
export { AWSProvider } from "./infra/aws-provider.ts";
export { DomainClaim } from "./domain-claim.ts";
export { DynamoDBTable } from "./infra/dynamodb-table.ts";
export { Gateway } from "./gateway-api/gateway.ts";
export { GatewayClass } from "./gateway-api/gateway-class.ts";
export { GatewayHostnameRequest } from "./gateway-hostname-request.ts";
export { GRPCRoute } from "./gateway-api/grpc-route.ts";
export { HTTPRoute } from "./gateway-api/http-route.ts";
export { HostnameGrant } from "./hostname-grant.ts";
export { ListenerSet } from "./gateway-api/listener-set.ts";
export { ReferenceGrant } from "./gateway-api/reference-grant.ts";
export { ListenerRuleConfiguration } from "./gateway-aws/listener-rule-configuration.ts";
export { LoadBalancerConfiguration } from "./gateway-aws/load-balancer-configuration.ts";
export { TargetGroupConfiguration } from "./gateway-aws/target-group-configuration.ts";
export { gatewayResources } from "./gateway-resources.ts";
export { ECRRepository } from "./infra/ecr-repository.ts";
export { IAMRole } from "./infra/iam-role.ts";
export { EC2Instance } from "./infra/ec2-instance.ts";
export { RDSInstance } from "./infra/rds-instance.ts";
export { S3Bucket } from "./infra/s3-bucket.ts";
export { SecretsManagerSecret } from "./infra/secrets-manager-secret.ts";
export { SNSTopic } from "./infra/sns-topic.ts";
export { SQSQueue } from "./infra/sqs-queue.ts";
export type { ManagedSpec } from "./infra/managed-spec.ts";
export { managedStatus } from "./infra/managed-status.ts";
export type { ManagedStatus } from "./infra/managed-status.ts";
export { APIRoute } from "./routing/api-route.ts";
export { Backend } from "./routing/backend.ts";
export { ConnectedGateway } from "./routing/connected-gateway.ts";
export { GATEWAY_LABEL } from "./routing/gateway-label.ts";
export { GRPCBackend } from "./routing/grpc-backend.ts";
export { GRPCRoute as AvapigwGRPCRoute } from "./routing/grpc-route.ts";
export { GraphQLBackend } from "./routing/graphql-backend.ts";
export { GraphQLRoute } from "./routing/graphql-route.ts";
export type {
  APIRouteSpec,
  BackendSpec,
  GRPCBackendSpec,
  GRPCRouteSpec,
  GraphQLBackendSpec,
  GraphQLRouteSpec,
} from "./routing/routing-specs.ts";
