import { TOKEN_TAG } from "@gatewright/aws";
import type { Certificate } from "@gatewright/aws";
import { CLUSTER_TAG } from "../settings.ts";

const MANAGER_TAG = "managed-by";
const MANAGER = "gatewright";
const NAMES_TAG = "gatewright.dev/names";
const ZONE_TAG = "gatewright.dev/zone";

/** What every certificate of this cluster is tagged with. */
export function ownTags(cluster: string, zoneId: string, namesHash: string): Readonly<Record<string, string>> {
  return { [MANAGER_TAG]: MANAGER, [CLUSTER_TAG]: cluster, [NAMES_TAG]: namesHash, [ZONE_TAG]: zoneId };
}

/** Whether a certificate was made by this cluster: an ARN in a status is no proof of it. */
export function isOwn({ tags }: Certificate, cluster: string): boolean {
  return tags?.get(MANAGER_TAG) === MANAGER && tags.get(CLUSTER_TAG) === cluster;
}

/** The zone in which a certificate of this cluster is validated. */
export function zoneOfOwn({ tags }: Certificate): string | undefined {
  return tags?.get(ZONE_TAG);
}

/** The token that a certificate of this cluster was requested with. */
export function tokenOfOwn({ tags }: Certificate): string | undefined {
  return tags?.get(TOKEN_TAG);
}
