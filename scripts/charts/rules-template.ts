import { formatYaml } from "@gatewright/kube";
import type { Json } from "@gatewright/kube";
import { DEFAULT_INSTALL_SETTINGS, rolesByPart } from "@gatewright/operator";
import type { InstallSettings } from "@gatewright/operator";
import type { RbacRoles } from "@gatewright/runtime";
import { filled, PLACES } from "./places.ts";

const SETTINGS: InstallSettings = {
  ...DEFAULT_INSTALL_SETTINGS,
  namespace: PLACES.namespace,
  lease: PLACES.lease,
  edgeNamespace: PLACES.edgeNamespace,
  webhookConfiguration: PLACES.webhookConfiguration,
  gatewayNamespaces: [PLACES.gatewayNamespace],
};

/** Where rules hold: `cluster`, and namespaces that only a release knows. */
const WHERE = {
  cluster: undefined,
  own: PLACES.namespace,
  edge: PLACES.edgeNamespace,
  gateways: PLACES.gatewayNamespace,
} as const;

/**
 * Named templates with the rules of each part: `gatewright.rules.<part>.<where>`, empty where nothing is needed. Settings that change what
 * a part needs make parts of their own.
 */
export function rulesTemplate(): string {
  const { hostnames } = rolesByPart({ ...SETTINGS, listeners: "listener-sets" });
  const { routing } = rolesByPart({ ...SETTINGS, webhookConfiguration: undefined });
  const parts = { ...rolesByPart(SETTINGS), "hostnames-listener-sets": hostnames, "routing-without-webhook": routing };
  return Object.entries(parts)
    .flatMap(([part, roles]) => Object.entries(WHERE).map(([where, namespace]) => rules(part, where, roles, namespace)))
    .join("\n");
}

function rules(part: string, where: string, { clusterRole, roles }: RbacRoles, namespace: string | undefined): string {
  const role = namespace === undefined ? clusterRole : roles.find(({ metadata }) => metadata.namespace === namespace);
  const body = role === undefined ? "" : `\n${filled(formatYaml(role.rules as unknown as Json)).trimEnd()}\n`;
  return `{{- define "gatewright.rules.${part}.${where}" -}}${body}{{- end -}}\n`;
}
