import type { Resource } from "@gatewright/kube";
import { apiextensions } from "@gatewright/kube/api";
import { crdOf } from "@gatewright/kube/define/manifests";
import { isNotFound } from "@gatewright/runtime";
import { accessOfParts } from "../install/part-access.ts";
import type { InstallSettings } from "../install/install-settings.ts";
import { kindsOfPart } from "../install/kinds-of-part.ts";
import type { ClusterView } from "./cluster-view.ts";
import { fail, ok, warn } from "./finding.ts";
import type { Finding } from "./finding.ts";

const GATEWAY_API = "gateway.networking.k8s.io";
const GATEWAY_AWS = "gateway.k8s.aws";
const BRINGS: ReadonlyMap<string, string> = new Map([
  [
    GATEWAY_API,
    "Install the CRDs of the Gateway API, standard channel: kubectl apply --server-side -f its standard-install.yaml.",
  ],
  [GATEWAY_AWS, "Install the AWS Load Balancer Controller with its Gateway API CRDs."],
]);

/** Whether kinds of others that the parts build on are served, in the version that is asked for. */
export async function othersKinds(
  cluster: ClusterView,
  settings: InstallSettings & { readonly gatewayAwsVersion: "v1" | "v1beta1" },
): Promise<readonly Finding[]> {
  const needed = new Map<string, Map<string, Set<string>>>();
  for (const { group, version, plural } of watched(settings)) {
    if (!BRINGS.has(group)) continue;
    const asked = group === GATEWAY_AWS ? settings.gatewayAwsVersion : version;
    const versions = needed.get(group) ?? new Map<string, Set<string>>();
    needed.set(group, versions.set(asked, (versions.get(asked) ?? new Set()).add(plural)));
  }
  const findings: Finding[] = [];
  for (const [group, versions] of needed)
    for (const [version, plurals] of versions)
      findings.push(await served(cluster, group, version, [...plurals].sort()));
  if (needed.has(GATEWAY_API)) findings.push(...(await bundle(cluster)));
  return findings;
}

function watched(settings: InstallSettings): readonly Resource[] {
  return accessOfParts(settings, settings.parts).flatMap((each) => [
    each.for,
    ...(each.watches ?? []).map(({ resource }) => resource),
  ]);
}

async function served(
  cluster: ClusterView,
  group: string,
  version: string,
  plurals: readonly string[],
): Promise<Finding> {
  const check = `kinds of ${group}`;
  const there = await cluster.served(group, version);
  const missing = plurals.filter((plural) => !there.has(plural));
  if (missing.length === 0) return ok(check, `${version}: ${plurals.join(", ")}`);
  const versions = await cluster.versionsOf(group);
  const message = `${version}: ${missing.join(", ")} not served`;
  if (group === GATEWAY_AWS && versions.length > 0 && !versions.includes(version))
    return fail(
      check,
      `${message}; ${versions.join(", ")} is`,
      `Run the operator with --gateway-aws-version ${versions[0]}, or upgrade the AWS Load Balancer Controller.`,
    );
  return fail(check, message, BRINGS.get(group) ?? "Install what brings them.");
}

/** Which release of the Gateway API it is, as its CRDs say. */
async function bundle(cluster: ClusterView): Promise<readonly Finding[]> {
  const name = `gateways.${GATEWAY_API}`;
  try {
    const { metadata } = await cluster.client
      .for(apiextensions.CustomResourceDefinition)
      .get({ name }, { signal: cluster.signal });
    const version = metadata.annotations?.[`${GATEWAY_API}/bundle-version`];
    const channel = metadata.annotations?.[`${GATEWAY_API}/channel`];
    return version === undefined ? [] : [ok("Gateway API", `${version}, ${channel ?? "unknown"} channel`)];
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
}

/** Whether our own kinds are there, and as this version of the operator knows them. */
export async function ownKinds(cluster: ClusterView, { parts }: InstallSettings): Promise<readonly Finding[]> {
  const crds = cluster.client.for(apiextensions.CustomResourceDefinition);
  const there = new Map((await crds.list({ signal: cluster.signal })).items.map((crd) => [crd.metadata.name, crd]));
  return parts.map((part): Finding => {
    const check = `kinds of ${part}`;
    const wanted = kindsOfPart(part).map((kind) => crdOf(kind, { check: false }));
    const absent = wanted.filter(({ metadata }) => !there.has(metadata.name));
    const remedy = `gatewright manifests --only crds --parts ${part} | kubectl apply --server-side -f -`;
    if (absent.length === wanted.length) return warn(check, "not installed yet", remedy);
    if (absent.length > 0)
      return fail(check, `not installed: ${absent.map(({ metadata }) => metadata.name).join(", ")}`, remedy);
    const other = wanted.filter((crd) => {
      const versions = there.get(crd.metadata.name)?.spec.versions ?? [];
      return crd.spec.versions.some(({ name, schema }) => {
        const found = versions.find((version) => version.name === name && version.served);
        if (found === undefined) return true;
        const known = fieldsOf(found.schema);
        return [...fieldsOf(schema)].some((field) => !known.has(field));
      });
    });
    return other.length === 0
      ? ok(check, `${wanted.length} installed`)
      : fail(check, `of another version: ${other.map(({ metadata }) => metadata.name).join(", ")}`, remedy);
  });
}

/** Paths of all fields of a schema: what an older definition lacks would be dropped by the server without a word. */
function fieldsOf(schema: unknown, path = "", found = new Set<string>()): ReadonlySet<string> {
  if (typeof schema !== "object" || schema === null) return found;
  const { properties, items, openAPIV3Schema, additionalProperties } = schema as Readonly<Record<string, unknown>>;
  for (const [name, field] of Object.entries(properties ?? {})) {
    found.add(`${path}.${name}`);
    fieldsOf(field, `${path}.${name}`, found);
  }
  for (const inner of [items, openAPIV3Schema, additionalProperties]) fieldsOf(inner, `${path}[]`, found);
  return found;
}
