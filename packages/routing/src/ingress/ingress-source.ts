import type { Immutable } from "@gatewright/kube";
import { networking } from "@gatewright/kube/api";
import type { FeedSource } from "../feed/feed-source.ts";
import type { Surroundings } from "../feed/surroundings.ts";
import { convertIngress } from "./convert-ingress.ts";
import { ingressClassOf } from "./ingress-class.ts";

/** Which Ingresses are ours. */
export interface IngressClassSettings {
  /** Default: `avapigw`. */
  readonly className: string;
  /** Whether those without a class are ours, too. */
  readonly isDefault: boolean;
}

export const DEFAULT_INGRESS_CLASS: IngressClassSettings = { className: "avapigw", isDefault: false };

/** Whether an Ingress is ours. */
export function isOurs(
  ingress: Immutable<networking.Ingress>,
  { className, isDefault }: IngressClassSettings,
): boolean {
  const said = ingressClassOf(ingress);
  return said === undefined ? isDefault : said === className;
}

/** Ingresses of our class. Their annotations are theirs as much as their specs: an edit of one is seen. */
export function ingressSource(settings: IngressClassSettings): FeedSource {
  return {
    kind: "Ingress",
    resource: networking.Ingress,
    matters: ({ metadata: now }, { metadata: before }) =>
      now.generation !== before.generation ||
      now.uid !== before.uid ||
      now.deletionTimestamp !== before.deletionTimestamp ||
      JSON.stringify([now.labels, now.annotations]) !== JSON.stringify([before.labels, before.annotations]),
    drafts(object, around) {
      const ingress = object as Immutable<networking.Ingress>;
      if (!isOurs(ingress, settings)) return { drafts: [], problems: [] };
      const namespace = ingress.metadata.namespace ?? "";
      const { drafts, problems } = convertIngress(ingress, { portNumber: portNumbers(namespace, around) });
      return {
        drafts: drafts.map((draft) => ({ ...draft, namespace })),
        problems: problems.map(({ field, message, fatal }) => ({
          severity: fatal ? ("error" as const) : ("warning" as const),
          reason: "Invalid" as const,
          field,
          message,
        })),
      };
    },
  };
}

function portNumbers(namespace: string, around: Surroundings): (service: string, port: string) => number | undefined {
  return (service, port) => around.service(namespace, service)?.spec?.ports?.find(({ name }) => name === port)?.port;
}
