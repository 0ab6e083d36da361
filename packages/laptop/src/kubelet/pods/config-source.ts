import type { Immutable } from "@gatewright/kube";
import { core } from "@gatewright/kube/api";
import type { Client } from "@gatewright/runtime";

/** What a ConfigMap or a Secret holds, decoded. */
export type Entries = ReadonlyMap<string, Uint8Array>;

/** Reads ConfigMaps and Secrets for the start of a pod's containers: each once, and as the server has them now. */
export interface ConfigSource {
  /** Undefined when there is none. */
  configMap(name: string): Promise<Entries | undefined>;
  secret(name: string): Promise<Entries | undefined>;
}

/**
 * A source that asks the server. A cache will not do: a pod that was made because its ConfigMap has changed must not start with the
 * old one.
 */
export function configSource(client: Client, namespace: string, signal: AbortSignal): ConfigSource {
  const known = new Map<string, Promise<Entries | undefined>>();
  const once = (key: string, read: () => Promise<Entries | undefined>): Promise<Entries | undefined> => {
    const reading = known.get(key) ?? read();
    known.set(key, reading);
    return reading;
  };
  return {
    configMap: (name) =>
      once(`ConfigMap ${name}`, async () =>
        entriesOf(await client.for(core.ConfigMap).find({ namespace, name }, { signal })),
      ),
    secret: (name) =>
      once(`Secret ${name}`, async () => {
        const secret = await client.for(core.Secret).find({ namespace, name }, { signal });
        return secret === undefined ? undefined : new Map(Object.entries(secret.data ?? {}).map(decoded));
      }),
  };
}

function entriesOf(map: Immutable<core.ConfigMap> | undefined): Entries | undefined {
  if (map === undefined) return undefined;
  const texts = Object.entries(map.data ?? {}).map(([key, text]) => [key, Buffer.from(text, "utf8")] as const);
  return new Map<string, Uint8Array>([...texts, ...Object.entries(map.binaryData ?? {}).map(decoded)]);
}

function decoded([key, base64]: readonly [string, string]): readonly [string, Uint8Array] {
  return [key, Buffer.from(base64, "base64")];
}
