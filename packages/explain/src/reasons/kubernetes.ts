import type { ReasonEntry } from "./catalogue.ts";

const entry = (means: string, remedy = ""): Omit<ReasonEntry, "reason"> => ({ means, remedy });

/** What pods, Deployments, Jobs and nodes say of themselves. */
export const KUBERNETES: Readonly<Record<string, Omit<ReasonEntry, "reason">>> = {
  ImagePullBackOff: entry("The image cannot be pulled.", "Mend the name of the image, or give imagePullSecrets."),
  ErrImagePull: entry("The image cannot be pulled.", "Mend the name of the image, or give imagePullSecrets."),
  ErrImageNeverPull: entry("The image is not on the node, and may not be pulled.", "Change imagePullPolicy."),
  InvalidImageName: entry("The name of the image is malformed.", "Mend the name of the image."),
  CrashLoopBackOff: entry("The container ends again and again.", "Read what it said before it ended."),
  Error: entry("The container ended with an error.", "Read what it said before it ended."),
  OOMKilled: entry("The container used more memory than its limit.", "Raise resources.limits.memory, or use less."),
  StartError: entry("The container could not be started.", "Mend its command."),
  CreateContainerConfigError: entry(
    "A Secret or ConfigMap of env or envFrom is missing.",
    "Make what the message names, or mark it optional.",
  ),
  CreateContainerError: entry("The node cannot make the container.", "Do what the message says."),
  RunContainerError: entry("The node cannot start the container.", "Mend its command, or do what the message says."),
  ContainerCreating: entry("The container is being made."),
  PodInitializing: entry("Init containers run first."),
  Completed: entry("It ran to completion."),
  Evicted: entry("The node ran out of something and gave the pod up.", "Ask for what the pod needs in resources."),
  Unschedulable: entry("No node has room for the pod.", "Ask for smaller resources, or add nodes."),
  SchedulingGated: entry("Something holds the pod back before it is given to a node.", "See who set schedulingGates."),
  ContainersNotReady: entry("A container is not ready.", "Look at its readiness probe, and at its logs."),
  ReadinessGatesNotReady: entry("A readiness gate of the pod is not met.", "See who sets the gate that is named."),
  MinimumReplicasAvailable: entry("Enough pods answer."),
  MinimumReplicasUnavailable: entry("Fewer pods answer than should.", "Look at its pods."),
  NewReplicaSetAvailable: entry("All pods are of the newest spec."),
  NewReplicaSetCreated: entry("Pods of the newest spec are being made."),
  FoundNewReplicaSet: entry("Pods of the newest spec are being made."),
  ReplicaSetUpdated: entry("Pods of the newest spec are being made."),
  DeploymentPaused: entry("The update is paused.", "Resume it: kubectl rollout resume."),
  ProgressDeadlineExceeded: entry("An update made no progress for as long as it may take.", "Look at its newest pods."),
  FailedCreate: entry("Pods are refused: by a policy, or for want of a service account.", "Do what the message says."),
  BackoffLimitExceeded: entry(
    "The Job failed as often as it may.",
    "Read the logs, then change the spec or delete the Job.",
  ),
  DeadlineExceeded: entry("The Job took longer than it may.", "Read the logs, then change the spec or delete the Job."),
  NodeLost: entry("The node of the pod is gone.", "Wait until the pod is made elsewhere, or delete it."),
};
