import type { Immutable } from "@gatewright/kube";
import { apps } from "@gatewright/kube/api";
import { GatewayClass } from "@gatewright/resources";
import type { ClusterView } from "./cluster-view.ts";
import { fail, ok, warn } from "./finding.ts";
import type { Finding } from "./finding.ts";

const CHECK = "AWS Load Balancer Controller";
const LABEL = "app.kubernetes.io/name=aws-load-balancer-controller";
const CONTROLLER = "gateway.k8s.aws/alb";
const GUIDE = "Install the AWS Load Balancer Controller with its Gateway API feature.";

/** Whether somebody makes load balancers for Gateways. */
export async function loadBalancerController(cluster: ClusterView): Promise<readonly Finding[]> {
  const { signal } = cluster;
  const { items } = await cluster.client.for(apps.Deployment).list({ labelSelector: LABEL, signal });
  return [...items.map(running), ...(items.length === 0 ? [absent()] : []), await gatewayClass(cluster)];
}

function running({ metadata, spec, status }: Immutable<apps.Deployment>): Finding {
  const image = spec?.template.spec?.containers[0]?.image ?? "";
  const told = `${metadata.namespace}/${metadata.name} ${image.slice(image.lastIndexOf(":") + 1)}`;
  return (status?.availableReplicas ?? 0) > 0
    ? ok(CHECK, told)
    : fail(CHECK, `${told}: no replica is available`, "See why its pods are not ready: hostnames wait for it.");
}

function absent(): Finding {
  return warn(CHECK, `there is no Deployment with the label ${LABEL}`, `${GUIDE} Without it hostnames wait for ever.`);
}

async function gatewayClass(cluster: ClusterView): Promise<Finding> {
  const check = "GatewayClass";
  if (!(await cluster.served(GatewayClass.group, GatewayClass.version)).has(GatewayClass.plural))
    return fail(check, "the kind is not served", "Install the CRDs of the Gateway API.");
  const { items } = await cluster.client.for(GatewayClass).list({ signal: cluster.signal });
  const ours = items.filter(({ spec }) => spec.controllerName === CONTROLLER);
  const names = ours.map(({ metadata }) => metadata.name).join(", ");
  if (ours.length === 0)
    return warn(
      check,
      `none is of ${CONTROLLER}`,
      "gatewright manifests --only classes --parts hostnames | kubectl apply --server-side -f -",
    );
  const accepted = ours.some(({ status }) =>
    status?.conditions?.some(({ type, status: is }) => type === "Accepted" && is === "True"),
  );
  return accepted
    ? ok(check, `${names}, accepted`)
    : warn(
        check,
        `${names}: nobody has accepted it`,
        `${GUIDE} It accepts classes of its own when that feature is on.`,
      );
}
