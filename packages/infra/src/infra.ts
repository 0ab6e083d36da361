import type { AWSProvider } from "@gatewright/resources";
import type { ControllerDefinition, MetricsRegistry } from "@gatewright/runtime";
import { managedResource } from "./engine/controller.ts";
import type { AnyKind, Managed } from "./engine/aws-kind.ts";
import { ALL_KINDS } from "./kinds/index.ts";
import { resourceMetrics } from "./engine/resource-metrics.ts";
import { createProviders } from "./providers/create-providers.ts";
import type { ProvidersOptions } from "./providers/create-providers.ts";
import { DEFAULT_INFRA_SETTINGS } from "./settings.ts";
import type { InfraSettings } from "./settings.ts";

export interface InfraOptions extends Omit<ProvidersOptions, "kinds" | "settings"> {
  /** Default: {@link DEFAULT_INFRA_SETTINGS}, field by field. */
  readonly settings?: Partial<InfraSettings>;
  /** What is decided about providers. */
  readonly providers?: ProvidersOptions["settings"];
  /** Default: all kinds. */
  readonly kinds?: readonly AnyKind[];
  /** Where the state of resources is counted. Default: nowhere. */
  readonly metrics?: MetricsRegistry;
}

/** What looks after AWS resources. All of it belongs into one manager: the controllers share the sessions. */
export interface Infra {
  readonly providers: ControllerDefinition<AWSProvider>;
  readonly resources: readonly ControllerDefinition<Managed>[];
}

/** Puts the parts together. No call is made before a manager runs them. */
export function infra({ settings, providers, kinds = ALL_KINDS, metrics, ...options }: InfraOptions): Infra {
  const { cluster } = { ...DEFAULT_INFRA_SETTINGS, ...settings };
  const { controller, sessions } = createProviders({
    ...options,
    kinds: kinds.map(({ resource }) => resource),
    ...(providers !== undefined && { settings: providers }),
  });
  const deps = { kinds, sessions, clock: options.clock, cluster };
  const counted = resourceMetrics(metrics);
  const managed = (kind: AnyKind) => managedResource(kind, { ...deps, metrics: counted(kind.resource.kind) });
  return { providers: controller, resources: kinds.map(managed) };
}
