import { fromBinary } from "@bufbuild/protobuf";
import { DeltaDiscoveryResponseSchema, DiscoveryResponseSchema } from "@gatewright/gateway-wire/xds";
import { encodedResource } from "../resource.ts";
import type { Resource } from "../resource.ts";
import { TypedResources } from "../typed-resources.ts";

/** A resource for tests; its content is a text. */
export function made(name: string, content = "1"): Resource {
  return encodedResource("test.Thing", name, Buffer.from(`${name}=${content}`), [`APIRoute shop/${name}`]);
}

/** Resources of the first generation, for tests. */
export function filled(...names: readonly string[]): TypedResources {
  const resources = new TypedResources();
  for (const name of names) resources.set(made(name), 1);
  return resources;
}

/** What an incremental answer says: names with content, and names that went with a minus. */
export function deltaText(answer: Uint8Array | undefined): string | undefined {
  if (answer === undefined) return undefined;
  const { resources, removedResources } = fromBinary(DeltaDiscoveryResponseSchema, answer);
  const there = resources.map(({ resource }) => Buffer.from(resource?.value ?? []).toString());
  return [...there.toSorted(), ...removedResources.map((name) => `-${name}`).toSorted()].join(" ");
}

/** What an answer of the state of the world says. */
export function worldText(answer: Uint8Array | undefined): string | undefined {
  if (answer === undefined) return undefined;
  const { resources } = fromBinary(DiscoveryResponseSchema, answer);
  return resources
    .map(({ value }) => Buffer.from(value).toString())
    .toSorted()
    .join(" ");
}
