import { flag, group, object, objects, text, texts, whole } from "./value.ts";
import type { Values } from "./value.ts";

/** Where the image of a chart is. */
export const imageValues: Values = {
  image: group({
    repository: text(
      "",
      "where you pushed the image, such as `123456789012.dkr.ecr.eu-west-1.amazonaws.com/gatewright`; needed",
    ),
    tag: text("", "default: the version of the chart"),
    digest: text("", "`sha256:…`; stronger than the tag", { pattern: "^(sha256:[0-9a-f]{64})?$" }),
    pullPolicy: {
      about: "when nodes pull it",
      initial: "IfNotPresent",
      schema: { enum: ["Always", "IfNotPresent", "Never"] },
    },
  }),
  imagePullSecrets: objects("Secrets with the registry's credentials: `[{ name: … }]`"),
};

/** How the objects of a release are called. */
export const nameValues: Values = {
  nameOverride: text("", "what stands for the chart's name in names"),
  fullnameOverride: text("", "the name of all objects"),
};

/** How many pods there are, and where. */
export const placeValues = (topologyAbout: string): Values => ({
  podDisruptionBudget: group({
    enabled: flag(true, "whether drains of nodes leave some pods"),
    maxUnavailable: whole(1, "how many may be away at once", [1, 100]),
  }),
  topologySpreadConstraints: objects(topologyAbout),
  nodeSelector: texts("labels of the nodes that it may run on"),
  tolerations: objects("taints that it may run beside"),
  affinity: object("further rules for its place"),
  priorityClassName: text("", "its class of priority"),
  podAnnotations: texts("annotations of its pods"),
  podLabels: texts("labels of its pods"),
});

export const SPREAD = "how pods are spread; default: over zones and nodes as far as that is possible";
