import type { ApiObject } from "@gatewright/kube";
import type { apps, batch, core } from "@gatewright/kube/api";
import type { Application } from "@gatewright/resources";
import type { Observation } from "../observation.ts";

type Meta = ApiObject["metadata"];

/** An Application as the server would have it. */
export function appOf(
  spec: Partial<Application["spec"]> = {},
  more: Partial<Pick<Application, "status">> & { metadata?: Meta } = {},
): Application {
  return {
    apiVersion: "cloudnative.elide.dev/v1",
    kind: "Application",
    metadata: { namespace: "shop", name: "web", uid: "app-uid", generation: 3, ...more.metadata },
    spec: { image: "web:1", replicas: 2, strategy: "RollingUpdate", ...spec },
    ...(more.status && { status: more.status }),
  };
}

/** An observation in which there is nothing but what is given. */
export function seeing(app: Application, seen: Partial<Observation> = {}): Observation {
  const none = {
    deployment: undefined,
    job: undefined,
    service: undefined,
    autoscaler: undefined,
    exposure: undefined,
  };
  return { app, ...none, configMaps: [], pods: [], ...seen };
}

const meta = (name: string, more: Meta = {}): Meta => ({ namespace: "shop", name, uid: `${name}-uid`, ...more });

type Conditions = Readonly<Record<string, readonly [status: string, reason: string, message?: string]>>;

const conditionsOf = (given: Conditions) =>
  Object.entries(given).map(([type, [status, reason, message = ""]]) => ({ type, status, reason, message }));

/** A Deployment of two replicas, all of them available unless told otherwise. */
export function deploymentOf(
  { conditions = {}, ...status }: Omit<apps.DeploymentStatus, "conditions"> & { conditions?: Conditions } = {},
  { replicas = 2, metadata = {} }: { replicas?: number; metadata?: Meta } = {},
): apps.Deployment {
  const all = { replicas, updatedReplicas: replicas, readyReplicas: replicas, availableReplicas: replicas };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: meta("web", { generation: 5, ...metadata }),
    spec: { replicas, selector: {}, template: {} },
    status: { observedGeneration: 5, ...all, ...status, conditions: conditionsOf(conditions) },
  };
}

/** A Job of the Application's generation. */
export function jobOf(
  { conditions = {}, ...status }: Omit<batch.JobStatus, "conditions"> & { conditions?: Conditions } = {},
  metadata: Meta = {},
): batch.Job {
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: meta("web", { annotations: { "cloudnative.elide.dev/generation": "3" }, ...metadata }),
    status: { ...status, conditions: conditionsOf(conditions) },
  };
}

/** A pod with one container in a state. */
export function podOf(
  name: string,
  state: core.ContainerState,
  { restartPolicy = "Always", ...more }: Partial<core.ContainerStatus> & { restartPolicy?: string } = {},
): core.Pod {
  const container = { name: "app", image: "web:1", imageID: "", ready: false, restartCount: 0, state, ...more };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: meta(name),
    spec: { containers: [], restartPolicy },
    status: { containerStatuses: [container] },
  };
}
