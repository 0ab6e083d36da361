import { join } from "node:path";
import type { ApiObject } from "@gatewright/kube";
import type { apps, core, policy, rbac } from "@gatewright/kube/api";
import { parse } from "yaml";
import { lintChart, renderChart } from "../../testbed/index.ts";
import type { ChartRelease, Manifest } from "../../testbed/index.ts";
import { VALUE_SETS } from "./value-sets.ts";
import type { ValueSet } from "./value-sets.ts";

const ROOT = join(import.meta.dirname, "..", "..");

/** A chart of ours as a release with these values. */
export function releaseOf({ chart, release, namespace, set }: Omit<ValueSet, "about">): ChartRelease {
  return { chart: join(ROOT, "charts", chart), release, namespace, set };
}

/** The set that is about this. */
export function valueSet(about: string): ValueSet {
  const found = VALUE_SETS.find((each) => each.about === about);
  if (found === undefined) throw new Error(`no set of values is about ${about}`);
  return found;
}

/** Kinds whose fields tests look at. */
interface Kinds {
  readonly ClusterRole: rbac.ClusterRole;
  readonly ClusterRoleBinding: rbac.ClusterRoleBinding;
  readonly ConfigMap: core.ConfigMap;
  readonly Deployment: apps.Deployment;
  readonly PodDisruptionBudget: policy.PodDisruptionBudget;
  readonly PrometheusRule: ApiObject & { readonly spec: unknown };
  readonly Role: rbac.Role;
  readonly RoleBinding: rbac.RoleBinding;
  readonly Service: core.Service;
  readonly ServiceAccount: core.ServiceAccount;
}

type KindNamed<K extends string> = K extends keyof Kinds ? Kinds[K] : ApiObject;

/** The objects of a rendered chart. */
export class Rendered {
  readonly manifests: readonly Manifest[];
  readonly objects: readonly ApiObject[];

  constructor(manifests: readonly Manifest[]) {
    this.manifests = manifests;
    this.objects = manifests.map(({ text }) => parse(text) as ApiObject);
  }

  all<K extends string>(kind: K): readonly KindNamed<K>[] {
    return this.objects.filter((each) => each.kind === kind) as unknown as readonly KindNamed<K>[];
  }

  one<K extends string>(kind: K, name?: string): KindNamed<K> {
    const found = this.all(kind).filter(({ metadata }) => name === undefined || metadata.name === name);
    if (found.length !== 1) throw new Error(`there are ${found.length} of ${kind} ${name ?? ""}`);
    return found[0]!;
  }

  get pod(): core.PodSpec {
    return this.one("Deployment").spec!.template.spec!;
  }

  get container(): core.Container {
    return this.pod.containers[0]!;
  }
}

export async function rendered(helm: string, set: Omit<ValueSet, "about">): Promise<Rendered> {
  return new Rendered(await renderChart(helm, releaseOf(set)));
}

export async function linted(helm: string, set: Omit<ValueSet, "about">): Promise<void> {
  await lintChart(helm, releaseOf(set));
}
