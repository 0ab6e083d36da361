import type { CallRates } from "@gatewright/aws";
import type { Resource } from "@gatewright/kube";
import type { AWSProvider } from "@gatewright/resources";
import type { ControllerDefinition } from "@gatewright/runtime";
import { awsProviders } from "./controller.ts";
import { createExamine } from "./examine.ts";
import type { WayPorts } from "./open-way.ts";
import { ProviderBook } from "./provider-book.ts";
import type { UsesProvider } from "./provider-ref.ts";
import type { Sessions } from "./sessions.ts";
import { DEFAULT_PROVIDER_SETTINGS } from "./settings.ts";
import type { ProviderSettings } from "./settings.ts";

export interface ProvidersOptions extends WayPorts {
  /** All kinds whose objects name a provider: it does not go under them. */
  readonly kinds: readonly Resource<UsesProvider>[];
  /** How fast an account may be asked. Default: what AWS gives an account that never asked for more. */
  readonly rates?: CallRates;
  /** Default: {@link DEFAULT_PROVIDER_SETTINGS}, field by field. */
  readonly settings?: Partial<ProviderSettings>;
}

/** AWSProviders and the sessions that they open. Nothing is asked before a manager runs the controller. */
export interface Providers {
  readonly controller: ControllerDefinition<AWSProvider>;
  readonly sessions: Sessions;
}

/** {@inheritDoc Providers} */
export function createProviders({ kinds, ...options }: ProvidersOptions): Providers {
  const settings = { ...DEFAULT_PROVIDER_SETTINGS, ...options.settings };
  const book = new ProviderBook();
  const examine = createExamine(options, settings, book);
  return { controller: awsProviders({ examine, book, clock: options.clock }, kinds), sessions: book };
}
