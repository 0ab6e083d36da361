import type { KubeObject } from "@gatewright/kube";

/** Where the team of the story is. */
export const TEAM = "whole-team";

const TRUST = JSON.stringify({
  Version: "2012-10-17",
  Statement: [{ Effect: "Allow", Principal: { Service: "ec2.amazonaws.com" }, Action: "sts:AssumeRole" }],
});

const object = (apiVersion: string, kind: string, name: string, rest: object): KubeObject => ({
  apiVersion,
  kind,
  metadata: { namespace: TEAM, name },
  ...rest,
});
const aws = (kind: string, name: string, spec: object): KubeObject =>
  object("aws-infra-operator.runner.codes/v1alpha1", kind, name, { spec });
const managed = (kind: string, spec: object): KubeObject =>
  aws(kind, "whole", { providerRef: { name: "own" }, deletionPolicy: "Delete", ...spec });
const routing = (kind: string, name: string, spec: object): KubeObject =>
  object("avapigw.io/v1alpha1", kind, name, { spec });

/** Applications: one that is exposed and scaled, one that runs once. */
export function applicationsOf(zoneId: string): readonly KubeObject[] {
  const app = (name: string, spec: object): KubeObject =>
    object("cloudnative.elide.dev/v1", "Application", name, { spec });
  return [
    app("web", {
      image: "nginx",
      config: { greeting: "hello" },
      ports: [{ port: 80 }],
      autoscaling: { minReplicas: 1, maxReplicas: 3 },
      expose: { hostname: "web.whole.example", zoneId },
    }),
    app("migrate", { image: "migrate:1", runToCompletion: true }),
  ];
}

/** What becomes of them: nothing leads to the first any more and it runs once, the other one runs for good. */
export const EDITED_APPLICATIONS: readonly (readonly [name: string, spec: object])[] = [
  ["web", { config: { greeting: "good day" } }],
  ["web", { expose: null, autoscaling: null, ports: null }],
  ["web", { runToCompletion: true }],
  ["migrate", { runToCompletion: false }],
];

/** One AWS resource of each kind, with what some of them hand on. */
export const RESOURCES: readonly KubeObject[] = [
  object("v1", "Secret", "keys", { stringData: { AWS_ACCESS_KEY_ID: "test", AWS_SECRET_ACCESS_KEY: "test" } }),
  object("v1", "Secret", "words", { stringData: { password: "correct-horse-battery" } }),
  aws("AWSProvider", "own", { region: "us-east-1" }),
  aws("AWSProvider", "keys", { region: "us-east-1", credentialsSecret: { name: "keys" } }),
  // Moto takes the tags of a new bucket everywhere but in its first region.
  aws("AWSProvider", "west", { region: "eu-west-1" }),
  managed("SQSQueue", { queueName: "whole", writeOutputsTo: { name: "queue" } }),
  aws("SQSQueue", "other", {
    providerRef: { name: "keys" },
    deletionPolicy: "Delete",
    queueName: "whole-other",
    writeOutputsTo: { kind: "ConfigMap", name: "queue-other" },
  }),
  managed("S3Bucket", { bucketName: "gatewright-whole", providerRef: { name: "west" } }),
  managed("SNSTopic", { topicName: "whole" }),
  managed("DynamoDBTable", { tableName: "whole", hashKey: { name: "id", type: "S" }, deletionProtection: false }),
  managed("ECRRepository", { repositoryName: "whole" }),
  managed("IAMRole", { roleName: "whole", assumeRolePolicyDocument: TRUST }),
  managed("SecretsManagerSecret", {
    secretName: "whole",
    secretStringRef: { name: "words", key: "password" },
    recoveryWindowInDays: 7,
  }),
  managed("EC2Instance", { instanceName: "whole", instanceType: "t3.micro", imageID: "ami-12c6146b" }),
  managed("RDSInstance", {
    dbInstanceIdentifier: "whole",
    engine: "postgres",
    engineVersion: "16.8",
    dbInstanceClass: "db.t4g.micro",
    allocatedStorage: 20,
    masterUsername: "boss",
    masterUserPasswordSecretRef: { name: "words", key: "password" },
  }),
];

/** Other words for what two queues say of themselves; and none at all. */
export const EDITED_OUTPUTS: readonly object[] = [{ data: { WHERE: "${url}" } }, null as unknown as object];

/** One object of each kind that gateways are given, and an Ingress. */
export function routesTo(port: number): readonly KubeObject[] {
  // Nobody is at the others: a host speaks one protocol.
  const hosts = (at: number) => ({ hosts: [{ address: "127.0.0.1", port: at, weight: 1 }] });
  const to = (host: string) => ({ route: [{ destination: { host, port }, weight: 100 }] });
  return [
    routing("Backend", "orders", hosts(port)),
    routing("GRPCBackend", "stock", hosts(1)),
    routing("GraphQLBackend", "catalogue", hosts(2)),
    routing("APIRoute", "orders", { match: [{ uri: { prefix: "/orders" } }], ...to("orders") }),
    routing("GRPCRoute", "stock", { match: [{ service: { exact: "shop.Stock" } }], ...to("stock") }),
    routing("GraphQLRoute", "catalogue", { match: [{ path: { exact: "/graphql" } }], ...to("catalogue") }),
    object("v1", "Service", "shop", {
      spec: { type: "ExternalName", externalName: "localhost", ports: [{ port }] },
    }),
    object("networking.k8s.io/v1", "Ingress", "shop", {
      spec: {
        ingressClassName: "avapigw",
        rules: [
          {
            http: {
              paths: [
                { path: "/shop", pathType: "Prefix", backend: { service: { name: "shop", port: { number: port } } } },
              ],
            },
          },
        ],
      },
    }),
  ];
}
