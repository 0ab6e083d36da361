import type { ApiObject, Immutable, Resource } from "@gatewright/kube";
import { apps, batch, core, networking } from "@gatewright/kube/api";
import {
  APIRoute,
  Application,
  AvapigwGRPCRoute,
  AWSProvider,
  Backend,
  ConnectedGateway,
  DomainClaim,
  DynamoDBTable,
  EC2Instance,
  ECRRepository,
  Gateway,
  GatewayHostnameRequest,
  GraphQLBackend,
  GraphQLRoute,
  GRPCBackend,
  GRPCRoute,
  HostnameGrant,
  HTTPRoute,
  IAMRole,
  RDSInstance,
  S3Bucket,
  SecretsManagerSecret,
  SNSTopic,
  SQSQueue,
} from "@gatewright/resources";
import type { Known } from "../known.ts";
import { explainApplication } from "./application.ts";
import { awsResourceLink, explainProvider } from "./aws-resource.ts";
import { connectedLink } from "./connected-gateways.ts";
import { deploymentLink, replicaSetLink } from "./deployment.ts";
import type { Explained, Explainer } from "./explained.ts";
import { gatewayLink } from "./gateway-state.ts";
import { explainHostname } from "./hostname-from-outside.ts";
import { claimLink } from "./hostname.ts";
import { grantLink, httpRouteLink } from "./http-route.ts";
import { ingressLink } from "./ingress.ts";
import { jobLink } from "./job.ts";
import { podLink } from "./pod.ts";
import { backendLink, routingRouteLink } from "./routing-route.ts";
import { explainService } from "./service.ts";
import type { Cause } from "../chain.ts";

/** How the objects of each kind are explained, by group and kind. */
export const EXPLAINERS: ReadonlyMap<string, Explainer> = new Map<string, Explainer>([
  by(Application, explainApplication),
  by(apps.Deployment, deploymentLink),
  by(apps.ReplicaSet, replicaSetLink),
  by(batch.Job, jobLink),
  by(core.Pod, podLink),
  by(core.Service, (known, service) => explainService(known, service)),
  by(GatewayHostnameRequest, explainHostname),
  by(DomainClaim, claimLink),
  by(HostnameGrant, grantLink),
  by(HTTPRoute, (known, route) => httpRouteLink(known, route)),
  by(GRPCRoute, (known, route) => httpRouteLink(known, route)),
  by(Gateway, (known, gateway) => gatewayLink(gateway, known.now)),
  by(APIRoute, routingRouteLink),
  by(AvapigwGRPCRoute, routingRouteLink),
  by(GraphQLRoute, routingRouteLink),
  by(Backend, backendLink),
  by(GRPCBackend, backendLink),
  by(GraphQLBackend, backendLink),
  by(networking.Ingress, ingressLink),
  by(ConnectedGateway, (_known, gateway) => connectedLink(gateway)),
  by(AWSProvider, explainProvider),
  by(S3Bucket, awsResource),
  by(SQSQueue, awsResource),
  by(SNSTopic, awsResource),
  by(DynamoDBTable, awsResource),
  by(RDSInstance, awsResource),
  by(EC2Instance, awsResource),
  by(SecretsManagerSecret, awsResource),
  by(IAMRole, awsResource),
  by(ECRRepository, awsResource),
]);

function awsResource(known: Known, object: Parameters<typeof awsResourceLink>[1]): Cause {
  return awsResourceLink(known, object);
}

function by<T extends ApiObject>(
  { group, kind }: Resource<T>,
  explain: (known: Known, object: Immutable<T>) => Explained | Cause,
): readonly [string, Explainer] {
  return [`${group}/${kind}`, explain as unknown as Explainer];
}
