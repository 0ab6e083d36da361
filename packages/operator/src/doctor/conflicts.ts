import { parseTime } from "@gatewright/kube";
import { admissionregistration, apiextensions, coordination, networking } from "@gatewright/kube/api";
import type { Clock } from "@gatewright/ports";
import type { InstallSettings } from "../install/install-settings.ts";
import { kindsOfPart } from "../install/kinds-of-part.ts";
import type { ClusterView } from "./cluster-view.ts";
import { fail, ok, warn } from "./finding.ts";
import type { Finding } from "./finding.ts";

const CHECK = "others in the cluster";
const INGRESS_CONTROLLER = "avapigw.io/ingress-controller";
const RELEASE = "meta.helm.sh/release-name";

/** Whether somebody else looks after the same objects: two operators would undo each other's work. */
export async function conflicts(
  cluster: ClusterView,
  settings: InstallSettings,
  clock: Clock,
): Promise<readonly Finding[]> {
  const found = [
    ...(await otherWebhooks(cluster, settings)),
    ...(await otherReplicas(cluster, settings, clock)),
    ...(await otherReleases(cluster, settings)),
    ...(await otherIngressClass(cluster, settings)),
  ];
  return found.length > 0 ? found : [ok(CHECK, "nobody else looks after the same kinds")];
}

async function otherWebhooks({ client, signal }: ClusterView, settings: InstallSettings): Promise<readonly Finding[]> {
  const groups = new Set(settings.parts.flatMap(kindsOfPart).map(({ group }) => group));
  const lists = [
    await client.for(admissionregistration.ValidatingWebhookConfiguration).list({ signal }),
    await client.for(admissionregistration.MutatingWebhookConfiguration).list({ signal }),
  ];
  return lists
    .flatMap(({ items }) => items)
    .filter(
      ({ metadata, webhooks = [] }) =>
        metadata.name !== settings.webhookConfiguration &&
        webhooks.some(({ rules = [] }) =>
          rules.some(({ apiGroups = [] }) => apiGroups.some((group) => groups.has(group))),
        ),
    )
    .map(({ kind, metadata }) =>
      warn(
        CHECK,
        `${kind} ${metadata.name} is asked about kinds of ours`,
        "If it is of the operator that this one replaces, delete it when that one has gone.",
      ),
    );
}

/** A Lease of ours in another namespace whose holder is alive. */
async function otherReplicas(
  { client, signal }: ClusterView,
  { namespace, lease }: InstallSettings,
  clock: Clock,
): Promise<readonly Finding[]> {
  const { items } = await client.for(coordination.Lease).list({ fieldSelector: `metadata.name=${lease}`, signal });
  return items
    .filter(({ metadata, spec }) => {
      const renewed = parseTime(spec?.renewTime ?? "") ?? 0;
      const holds = (spec?.holderIdentity ?? "") !== "";
      return (
        metadata.namespace !== namespace && holds && clock.now() - renewed < (spec?.leaseDurationSeconds ?? 15) * 4_000
      );
    })
    .map(({ metadata, spec }) =>
      fail(
        CHECK,
        `an operator runs in the namespace ${metadata.namespace}: ${spec?.holderIdentity} holds the Lease ${lease}`,
        `Install into that namespace (-n ${metadata.namespace}), or remove the other one first.`,
      ),
    );
}

/** Definitions of ours that a release of helm has made under another name. */
async function otherReleases({ client, signal }: ClusterView, { parts }: InstallSettings): Promise<readonly Finding[]> {
  const names = new Set(parts.flatMap(kindsOfPart).map(({ plural, group }) => `${plural}.${group}`));
  const { items } = await client.for(apiextensions.CustomResourceDefinition).list({ signal });
  const releases = new Set(
    items
      .filter(({ metadata }) => names.has(metadata.name ?? ""))
      .map(({ metadata }) => metadata.annotations?.[RELEASE] ?? "")
      .filter((release) => release !== "" && !release.includes("gatewright")),
  );
  return Array.from(releases, (release) =>
    warn(
      CHECK,
      `kinds of ours are of the helm release ${release}`,
      "See that it does not remove them, and their objects, when it is uninstalled: helm get manifest tells what it has.",
    ),
  );
}

async function otherIngressClass(
  { client, signal }: ClusterView,
  { parts, ingressClass }: InstallSettings,
): Promise<readonly Finding[]> {
  if (!parts.includes("routing") || ingressClass === undefined) return [];
  const found = await client.for(networking.IngressClass).find({ name: ingressClass }, { signal });
  const controller = found?.spec?.controller;
  if (controller === undefined || controller === INGRESS_CONTROLLER) return [];
  return [
    fail(
      CHECK,
      `the IngressClass ${ingressClass} is of ${controller}`,
      "Take another name: --ingress-class-name, here and for the operator.",
    ),
  ];
}
