import type { Immutable } from "@gatewright/kube";
import { apps, batch, core } from "@gatewright/kube/api";
import type { Client } from "@gatewright/runtime";
import { eventually } from "../eventually.ts";
import { NODE } from "./story-world.ts";

/** What a user does, and waits for, in a namespace. */
export interface Story {
  readonly name: string;
  play(user: User): Promise<void>;
}

/** A user of one namespace. */
export interface User {
  readonly client: Client;
  readonly namespace: string;
}

type Deployment = Immutable<apps.Deployment>;
type Job = Immutable<batch.Job>;

const deploy = async ({ client, namespace }: User, spec: Partial<apps.DeploymentSpec> = {}): Promise<Deployment> =>
  client.for(apps.Deployment).create({
    metadata: { namespace, name: "web", annotations: { team: "shop" } },
    spec: {
      replicas: 3,
      selector: { matchLabels: { app: "web" } },
      template: {
        metadata: { labels: { app: "web" } },
        spec: { nodeName: NODE, terminationGracePeriodSeconds: 1, containers: [{ name: "main", image: "run:1" }] },
      },
      ...spec,
    },
  });

const change = (user: User, spec: object): Promise<Deployment> =>
  user.client.for(apps.Deployment).patch({ namespace: user.namespace, name: "web" }, { strategic: { spec } });

const image = (user: User, name: string): Promise<Deployment> =>
  change(user, { template: { spec: { containers: [{ name: "main", image: name }] } } });

const untilWeb = (
  { client, namespace }: User,
  what: string,
  holds: (web: Deployment) => boolean,
): Promise<Deployment> =>
  eventually(
    what,
    () => client.for(apps.Deployment).get({ namespace, name: "web" }),
    (web) => isSeen(web) && holds(web),
  );

const isSeen = ({ metadata, status }: Deployment): boolean => status?.observedGeneration === metadata.generation;

const progress = ({ status }: Deployment): string | undefined =>
  status?.conditions?.find(({ type }) => type === "Progressing")?.reason;

const rolledOut = (user: User): Promise<Deployment> =>
  untilWeb(
    user,
    "the rollout",
    ({ spec, status }) =>
      (status?.updatedReplicas ?? 0) === spec?.replicas &&
      (status?.replicas ?? 0) === spec?.replicas &&
      (status?.availableReplicas ?? 0) === spec?.replicas &&
      (status?.terminatingReplicas ?? 0) === 0,
  );

const work = async (
  { client, namespace }: User,
  containerImage: string,
  spec: Partial<batch.JobSpec> = {},
): Promise<Job> =>
  client.for(batch.Job).create({
    metadata: { namespace, name: "work" },
    spec: {
      template: {
        spec: {
          nodeName: NODE,
          restartPolicy: "Never",
          terminationGracePeriodSeconds: 1,
          containers: [{ name: "main", image: containerImage }],
        },
      },
      ...spec,
    },
  });

const untilWork = ({ client, namespace }: User, what: string, holds: (job: Job) => boolean): Promise<Job> =>
  eventually(what, () => client.for(batch.Job).get({ namespace, name: "work" }), holds);

const is = (job: Job, type: string): boolean =>
  job.status?.conditions?.some((condition) => condition.type === type && condition.status === "True") === true;

const complete = (user: User): Promise<Job> => untilWork(user, "the completion", (job) => is(job, "Complete"));
const failed = (user: User): Promise<Job> => untilWork(user, "the failure", (job) => is(job, "Failed"));

const noPods = ({ client, namespace }: User): Promise<unknown> =>
  eventually(
    "the end of all pods",
    () => client.for(core.Pod).list({ namespace }),
    ({ items }) => items.length === 0,
  );

export const STORIES: readonly Story[] = [
  {
    name: "a Deployment is made",
    async play(user) {
      await deploy(user);
      await rolledOut(user);
    },
  },
  {
    name: "another image is rolled out",
    async play(user) {
      await deploy(user, { replicas: 4 });
      await rolledOut(user);
      await image(user, "run:2");
      await rolledOut(user);
    },
  },
  {
    name: "an image that cannot be had gets stuck",
    async play(user) {
      await deploy(user, { replicas: 4, progressDeadlineSeconds: 3 });
      await rolledOut(user);
      await image(user, "missing:1");
      await untilWeb(user, "the deadline", (web) => progress(web) === "ProgressDeadlineExceeded");
    },
  },
  {
    name: "a rollout that is stuck is undone",
    async play(user) {
      const first = await deploy(user);
      await rolledOut(user);
      await image(user, "missing:1");
      await untilWeb(user, "a new pod", ({ status }) => status?.updatedReplicas === 1 && status.replicas === 4);
      const template = first.spec?.template;
      await user.client
        .for(apps.Deployment)
        .patch(
          { namespace: user.namespace, name: "web" },
          { json: [{ op: "replace", path: "/spec/template", value: template }] },
        );
      await rolledOut(user);
    },
  },
  {
    name: "a Deployment is scaled in the middle of a rollout",
    async play(user) {
      await deploy(user, { replicas: 4 });
      await rolledOut(user);
      await image(user, "missing:1");
      await untilWeb(user, "new pods", ({ status }) => status?.updatedReplicas === 2 && status.replicas === 5);
      await change(user, { replicas: 10 });
      await untilWeb(user, "the new size", ({ status }) => status?.replicas === 13 && status.availableReplicas === 8);
    },
  },
  {
    name: "a Deployment is scaled down and up",
    async play(user) {
      await deploy(user);
      await rolledOut(user);
      for (const replicas of [0, 5, 1]) {
        await change(user, { replicas });
        await rolledOut(user);
      }
    },
  },
  {
    name: "a Deployment is paused, changed and resumed",
    async play(user) {
      await deploy(user);
      await rolledOut(user);
      await change(user, { paused: true });
      await untilWeb(user, "the pause", (web) => progress(web) === "DeploymentPaused");
      await image(user, "run:2");
      await change(user, { replicas: 5 });
      await untilWeb(user, "more old pods", ({ status }) => status?.availableReplicas === 5);
      await change(user, { paused: null });
      await rolledOut(user);
      await untilWeb(user, "the end", (web) => progress(web) === "NewReplicaSetAvailable");
    },
  },
  {
    name: "a Deployment that is paused says so",
    async play(user) {
      await deploy(user);
      await rolledOut(user);
      await change(user, { paused: true });
      await image(user, "run:2");
      await untilWeb(
        user,
        "the pause",
        (web) => progress(web) === "DeploymentPaused" && web.status?.updatedReplicas === undefined,
      );
    },
  },
  {
    name: "all pods are replaced at once by Recreate",
    async play(user) {
      await deploy(user, { strategy: { type: "Recreate" } });
      await rolledOut(user);
      await image(user, "run:2");
      await rolledOut(user);
    },
  },
  {
    name: "pods must be ready for a while",
    async play(user) {
      await deploy(user, { replicas: 2, minReadySeconds: 2 });
      await untilWeb(user, "ready pods", ({ status }) => status?.readyReplicas === 2);
      await rolledOut(user);
      await change(user, { minReadySeconds: 1 });
      await image(user, "run:2");
      await rolledOut(user);
    },
  },
  {
    name: "the history is kept short",
    async play(user) {
      await deploy(user, { revisionHistoryLimit: 1 });
      for (const version of [2, 3, 4]) {
        await rolledOut(user);
        await image(user, `run:${version}`);
      }
      await rolledOut(user);
      await eventually(
        "the end of old revisions",
        () => user.client.for(apps.ReplicaSet).list({ namespace: user.namespace }),
        ({ items }) => items.length === 2,
      );
    },
  },
  {
    name: "a quota allows fewer pods than are wanted",
    async play(user) {
      const { client, namespace } = user;
      await client
        .for(core.ResourceQuota)
        .create({ metadata: { namespace, name: "few" }, spec: { hard: { pods: "2" } } });
      await eventually(
        "the quota",
        () => client.for(core.ResourceQuota).get({ namespace, name: "few" }),
        ({ status }) => status?.hard?.["pods"] !== undefined,
      );
      await deploy(user, { replicas: 3 });
      await untilWeb(
        user,
        "two pods",
        ({ status }) => status?.availableReplicas === 2 && status.conditions?.length === 3,
      );
    },
  },
  {
    name: "a pod gets other labels, is replaced, and comes back",
    async play(user) {
      const { client, namespace } = user;
      await deploy(user, { replicas: 2 });
      await rolledOut(user);
      const { items } = await client.for(core.Pod).list({ namespace });
      const ref = { namespace, name: items[0]?.metadata.name ?? "" };
      await client.for(core.Pod).patch(ref, { merge: { metadata: { labels: { app: "other" } } } });
      await eventually(
        "the release",
        () => client.for(core.Pod).get(ref),
        ({ metadata }) => metadata.ownerReferences === undefined,
      );
      await rolledOut(user);
      await client.for(core.Pod).delete(ref);
      await eventually(
        "its end",
        () => client.for(core.Pod).list({ namespace }),
        (pods) => pods.items.length === 2,
      );
    },
  },
  {
    name: "a Deployment is deleted with all that it has",
    async play(user) {
      await deploy(user);
      await rolledOut(user);
      await user.client
        .for(apps.Deployment)
        .delete({ namespace: user.namespace, name: "web" }, { propagation: "Foreground" });
      await noPods(user);
      await eventually(
        "its end",
        () => user.client.for(apps.Deployment).list({ namespace: user.namespace }),
        ({ items }) => items.length === 0,
      );
    },
  },
  {
    name: "a Job succeeds",
    async play(user) {
      await work(user, "succeed:1", { completions: 3, parallelism: 2 });
      await complete(user);
    },
  },
  {
    name: "a Job fails after a second try",
    async play(user) {
      await work(user, "fail:1", { backoffLimit: 1 });
      await failed(user);
    },
  },
  {
    name: "a Job takes too long",
    async play(user) {
      await work(user, "run:1", { activeDeadlineSeconds: 3, parallelism: 2 });
      await failed(user);
      await noPods(user);
    },
  },
  {
    name: "an Indexed Job succeeds",
    async play(user) {
      await work(user, "succeed:1", { completions: 3, parallelism: 3, completionMode: "Indexed" });
      await complete(user);
    },
  },
  {
    name: "an Indexed Job is done when some indexes are",
    async play(user) {
      const successPolicy = { rules: [{ succeededIndexes: "0-1" }] };
      await work(user, "succeed:1", { completions: 2, parallelism: 2, completionMode: "Indexed", successPolicy });
      await complete(user);
    },
  },
  {
    name: "a Job is suspended and resumed",
    async play(user) {
      const { client, namespace } = user;
      const ref = { namespace, name: "work" };
      await work(user, "run:1");
      await untilWork(user, "a pod", ({ status }) => status?.ready === 1);
      await client.for(batch.Job).patch(ref, { merge: { spec: { suspend: true } } });
      await untilWork(user, "the suspension", (job) => is(job, "Suspended"));
      await noPods(user);
      await client.for(batch.Job).patch(ref, { merge: { spec: { suspend: false } } });
      await untilWork(user, "a pod again", ({ status }) => status?.ready === 1 && status.terminating === 0);
    },
  },
  {
    name: "a Job fails by its policy for failures",
    async play(user) {
      const rules = [{ action: "FailJob", onExitCodes: { operator: "In", values: [1] } }];
      await work(user, "fail:1", { podFailurePolicy: { rules } });
      await failed(user);
    },
  },
  {
    name: "a Job that is over goes by itself",
    async play(user) {
      await work(user, "succeed:1", { ttlSecondsAfterFinished: 2 });
      await complete(user);
      await eventually(
        "its end",
        () => user.client.for(batch.Job).list({ namespace: user.namespace }),
        ({ items }) => items.length === 0,
      );
      await noPods(user);
    },
  },
  {
    name: "a Job is deleted while its pods run",
    async play(user) {
      await work(user, "run:1", { parallelism: 2 });
      await untilWork(user, "its pods", ({ status }) => status?.ready === 2);
      await user.client
        .for(batch.Job)
        .delete({ namespace: user.namespace, name: "work" }, { propagation: "Background" });
      await noPods(user);
    },
  },
];
