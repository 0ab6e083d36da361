import { INSTALL_OPTIONS } from "../../../packages/cli/src/install/install-options.ts";
import { rendered } from "../../chart/rendered.ts";
import type { Rendered } from "../../chart/rendered.ts";

/** Nothing of it is shared with other suites: the audit log is read for this account alone. */
export const PLACE = {
  /** Of the release and all that it makes. */
  name: "whole",
  namespace: "whole",
  edge: "whole-edge",
  cluster: "whole",
  region: "us-east-1",
} as const;

/** Our gateway and our Envoys, as the operator and their own releases know them. */
export const [GATEWAY, ENVOYS] = ["edge-1", "envoys"] as const;

const KEYS = { AWS_ACCESS_KEY_ID: "test", AWS_SECRET_ACCESS_KEY: "test" };

/** What is waited for in AWS is not what is judged here. */
const OPTIONS = {
  "dns-servers": "none",
  "drain-window": "1s",
  "bundle-window": "200ms",
  "flush-window": "200ms",
  "remove-empty-gateways-after": "1s",
};

/** What the chart of the kinds renders. */
export function kindsChart(helm: string): Promise<Rendered> {
  const { name, namespace } = PLACE;
  return rendered(helm, { chart: "gatewright-crds", release: `${name}-crds`, namespace, set: [] });
}

/** What the operator's chart renders with all parts on. `endpoint` is where AWS is, `hosts` are further names of the operator. */
export function operatorChart(helm: string, endpoint: string, hosts: readonly string[]): Promise<Rendered> {
  const { name, namespace, edge, cluster, region } = PLACE;
  const set = [
    `fullnameOverride=${name}`,
    "image.repository=registry.example/gatewright",
    `cluster=${cluster}`,
    `aws.region=${region}`,
    "hostnames.enabled=true",
    `hostnames.edgeNamespace=${edge}`,
    "infra.enabled=true",
    `routing.gateways={${edge}/${GATEWAY},${edge}/${ENVOYS}}`,
    "routing.xds.enabled=true",
    "routing.ingress.addresses={127.0.0.1}",
    `routing.certificates.dnsNames={${hosts.join(",")}}`,
    ...Object.entries(KEYS).flatMap(([key, value], index) => [
      `extraEnv[${index}].name=${key}`,
      `extraEnv[${index}].value=${value}`,
    ]),
    ...Object.entries({ ...OPTIONS, "aws-endpoint-url": endpoint }).map(([key, value]) => `options.${key}=${value}`),
  ];
  return rendered(helm, { chart: "gatewright", release: name, namespace, set });
}

/** How the other commands are told of an installation: as the operator is. */
export function installArgs({ container, pod }: Rendered): readonly string[] {
  const same = (container.args ?? []).filter((arg) => Object.hasOwn(INSTALL_OPTIONS, arg.slice(2).split("=")[0] ?? ""));
  return [...same, `--service-account=${pod.serviceAccountName}`, `--gateway-namespace=${PLACE.edge}`];
}
