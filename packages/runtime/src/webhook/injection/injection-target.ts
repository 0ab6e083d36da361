import type { ApiObject, Immutable, Resource } from "@gatewright/kube";
import { admissionregistration, apiextensions } from "@gatewright/kube/api";
import type { JsonPatchOperation } from "../../client/client.ts";

/** An object whose `caBundle` fields tell API servers by which authorities to know the webhook server. */
export interface InjectionTarget {
  readonly resource: Resource;
  readonly name: string;
  /** The client configurations in it that point to us, and where they are. */
  readonly places: (object: Immutable<ApiObject>) => readonly Place[];
}

interface Place {
  readonly path: string;
  readonly caBundle: string | undefined;
}

/** All webhooks of a configuration of this name are ours. */
export function validatingTarget(name: string): InjectionTarget {
  const resource = admissionregistration.ValidatingWebhookConfiguration;
  return {
    resource,
    name,
    places: (object) => webhookPlaces(object as admissionregistration.ValidatingWebhookConfiguration),
  };
}

/** All webhooks of a configuration of this name are ours. */
export function mutatingTarget(name: string): InjectionTarget {
  const resource = admissionregistration.MutatingWebhookConfiguration;
  return {
    resource,
    name,
    places: (object) => webhookPlaces(object as admissionregistration.MutatingWebhookConfiguration),
  };
}

/** The conversion of a CustomResourceDefinition, `<plural>.<group>`; while it converts without a webhook there is nothing to do. */
export function conversionTarget(name: string): InjectionTarget {
  return {
    resource: apiextensions.CustomResourceDefinition,
    name,
    places(object) {
      const { conversion } = (object as Immutable<apiextensions.CustomResourceDefinition>).spec;
      if (conversion?.strategy !== "Webhook" || conversion.webhook?.clientConfig === undefined) return [];
      const { caBundle } = conversion.webhook.clientConfig;
      return [{ path: "/spec/conversion/webhook/clientConfig/caBundle", caBundle }];
    },
  };
}

/** The patch that puts the bundle (base64) where it is missing; empty when it is everywhere. Applies to this version of the object only. */
export function injection(
  target: InjectionTarget,
  object: Immutable<ApiObject>,
  caBundle: string,
): readonly JsonPatchOperation[] {
  const wrong = target.places(object).filter((place) => place.caBundle !== caBundle);
  if (wrong.length === 0) return [];
  const guard = { op: "test", path: "/metadata/resourceVersion", value: object.metadata.resourceVersion } as const;
  return [guard, ...wrong.map(({ path }) => ({ op: "add", path, value: caBundle }) as const)];
}

function webhookPlaces({
  webhooks = [],
}: Immutable<{ webhooks?: { clientConfig: { caBundle?: string } }[] }>): readonly Place[] {
  return webhooks.map(({ clientConfig }, index) => ({
    path: `/webhooks/${index}/clientConfig/caBundle`,
    caBundle: clientConfig.caBundle,
  }));
}
