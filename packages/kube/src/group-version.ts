/** `apps/v1`; the core group is the empty string and prints as `v1`. */
export interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

export interface GroupKind {
  readonly group: string;
  readonly kind: string;
}

export interface GroupVersionKind extends GroupVersion, GroupKind {}

/** A resource is the plural, lower-case name in URLs: `deployments`. */
export interface GroupResource {
  readonly group: string;
  readonly resource: string;
}

export interface GroupVersionResource extends GroupVersion, GroupResource {}

export function formatGroupVersion(gv: GroupVersion): string {
  return gv.group === "" ? gv.version : `${gv.group}/${gv.version}`;
}

/** Reads an `apiVersion`. Returns undefined when it has more than one slash. */
export function parseGroupVersion(apiVersion: string): GroupVersion | undefined {
  const slash = apiVersion.indexOf("/");
  if (slash < 0) return { group: "", version: apiVersion };
  if (apiVersion.includes("/", slash + 1)) return undefined;
  return { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) };
}

/** `deployments.apps`, or `pods` for the core group: how errors name a resource. */
export function formatGroupResource(gr: GroupResource): string {
  return gr.group === "" ? gr.resource : `${gr.resource}.${gr.group}`;
}

/** `Deployment.apps`, or `Pod` for the core group: how validation errors name a kind. */
export function formatGroupKind(gk: GroupKind): string {
  return gk.group === "" ? gk.kind : `${gk.kind}.${gk.group}`;
}

const KUBE_VERSION = /^v([1-9][0-9]*)(?:(alpha|beta)([1-9][0-9]*))?$/;
const STABILITY: Readonly<Record<string, number>> = { alpha: 0, beta: 1 };

/** Orders versions as discovery does: v2, v1, v1beta2, v1beta1, v1alpha1, then everything else by name. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [KUBE_VERSION.exec(a), KUBE_VERSION.exec(b)];
  if (!left || !right) return left ? -1 : right ? 1 : a < b ? -1 : a > b ? 1 : 0;
  const rank = (m: RegExpExecArray): [number, number, number] => [
    m[2] === undefined ? 2 : STABILITY[m[2]]!,
    Number(m[1]),
    Number(m[3] ?? 0),
  ];
  const [l, r] = [rank(left), rank(right)];
  for (let i = 0; i < 3; i++) if (l[i] !== r[i]) return r[i]! - l[i]!;
  return 0;
}
