import { readFile } from "node:fs/promises";
import { applications } from "@gatewright/applications";
import { createAws, createBudgets, createHttpSend, CredentialsError } from "@gatewright/aws";
import { awsCallMetrics, hostnames, resolverDns } from "@gatewright/hostnames";
import { createTenantSend, infra } from "@gatewright/infra";
import { aborted } from "@gatewright/ports";
import { addRouting } from "@gatewright/routing";
import type { Manager, OperatorParts } from "@gatewright/runtime";
import { awsCallSpans } from "./aws-call-spans.ts";
import { awsIdentity } from "./aws-identity.ts";
import type { AwsIdentity, Environment } from "./aws-identity.ts";
import { operatorCertificates } from "./operator-certificates.ts";
import { AWS_PARTS } from "./part.ts";
import type { PartSettings } from "./part-settings.ts";

/** What all parts are given: the manager that runs them, and what the process is made of. */
interface Ground extends OperatorParts {
  readonly manager: Manager;
  readonly settings: PartSettings;
}

/** What parts that call AWS share. */
interface AwsGround extends Ground {
  readonly send: ReturnType<typeof createHttpSend>["send"];
  readonly identity: AwsIdentity;
}

/**
 * Adds the parts to a manager, as the settings say. Nothing is asked of anybody before it runs. Throws `CredentialsError` when a part
 * needs to be somebody in AWS and the environment does not say who.
 */
export function addParts(
  manager: Manager,
  process: OperatorParts,
  settings: PartSettings,
  environment: Environment,
): void {
  const ground = { ...process, manager, settings };
  const runs = (part: PartSettings["parts"][number]): boolean => settings.parts.includes(part);
  if (AWS_PARTS.some(runs)) {
    const aws = awsGround(ground, environment);
    if (runs("hostnames")) addHostnames(aws);
    if (runs("infra")) addInfra(aws);
  }
  if (runs("routing")) {
    const { namespace, replica, routing } = settings;
    const certificates = operatorCertificates(manager, process, settings);
    addRouting(manager, { ...process, namespace, replica, certificates, settings: routing.settings });
  }
  // Only what carries the label of an Application is followed: pods of others are many.
  if (runs("applications")) {
    const { gatewayAwsVersion } = settings.hostnames;
    manager.add(applications({ expose: runs("hostnames"), gatewayAwsVersion }));
  }
}

function awsGround(ground: Ground, environment: Environment): AwsGround {
  const { manager, clock, random, settings } = ground;
  const http = createHttpSend();
  closes(manager, "aws-connections", http);
  const text = (path: string): Promise<string> => readFile(path, "utf8");
  const identity = awsIdentity(settings.aws, { environment, send: http.send, readFile: text, clock, random });
  return { ...ground, send: http.send, identity };
}

function addHostnames({ manager, settings, send, identity, clock, random, log, metrics, tracer }: AwsGround): void {
  const { aws, cluster, hostnames: given } = settings;
  if (identity.credentials === undefined) throw nobody();
  const { credentials } = identity;
  const [home, ...others] = [aws.region ?? "", ...aws.otherRegions].map((region) =>
    createAws({
      region,
      credentials,
      send,
      clock,
      random,
      budgets: createBudgets(clock),
      gate: () => manager.gate.check(),
      onCall: awsCallMetrics(metrics),
      onTry: awsCallSpans(tracer),
      ...(aws.endpoint !== undefined && { endpoint: aws.endpoint }),
    }),
  );
  const servers = given.dnsServers;
  const { requests, claims, pool, grants, runnables } = hostnames({
    aws: home!,
    otherRegions: others,
    clock,
    random,
    log,
    metrics,
    settings: { ...given.settings, cluster },
    gatewayAws: { version: given.gatewayAwsVersion, defaultTargetGroups: given.gatewayAwsVersion === "v1" },
    ...(servers !== "none" && { dns: resolverDns(servers.length > 0 ? { servers } : {}) }),
  });
  for (const runnable of runnables) manager.addRunnable(runnable);
  manager.add(requests);
  manager.add(claims);
  manager.add(pool);
  manager.add(grants);
}

function addInfra({ manager, settings, send, identity, clock, random, metrics, tracer }: AwsGround): void {
  const { aws, cluster, infra: given } = settings;
  const { credentials, webIdentity } = identity;
  const tenants = createTenantSend(given);
  closes(manager, "aws-tenant-connections", tenants);
  const { providers, resources } = infra({
    clock,
    random,
    send,
    tenantSend: tenants.send,
    gate: () => manager.gate.check(),
    onCall: awsCallMetrics(metrics),
    onTry: awsCallSpans(tracer),
    ...(aws.endpoint !== undefined && { endpoint: aws.endpoint }),
    ...(credentials !== undefined && { credentials }),
    ...(webIdentity !== undefined && { webIdentity }),
    settings: { cluster },
    providers: given,
    metrics,
  });
  manager.add(providers);
  for (const resource of resources) manager.add(resource);
}

function closes(manager: Manager, name: string, connections: { close(): void }): void {
  manager.addRunnable({
    name,
    when: "always",
    async run(signal) {
      await aborted(signal);
      connections.close();
    },
  });
}

function nobody(): CredentialsError {
  return new CredentialsError({
    code: "NotConfigured",
    message: "hostnames needs to be somebody in AWS, and the environment says nothing of it",
    remedy:
      "Give the operator's service account a role (IRSA or EKS Pod Identity), or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.",
  });
}
