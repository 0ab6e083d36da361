import type { Certificates, Zones } from "@gatewright/aws";
import type { ApiObject, Resource } from "@gatewright/kube";
import type { Clock } from "@gatewright/ports";
import type { LoadBalancerConfiguration } from "@gatewright/resources";
import type { CacheReader } from "@gatewright/runtime";
import type { PoolBook } from "../pool/pool-book.ts";
import type { PoolRuns } from "../pool/pool-runs.ts";
import type { HostnameSettings } from "../settings.ts";
import type { Bundler } from "./bundler.ts";
import type { PublicDns } from "./public-dns.ts";
import type { Settling } from "./settling.ts";
import type { Topics } from "./topics.ts";

export type Cached = <T extends ApiObject>(resource: Resource<T>) => CacheReader<T>;

/** What the controller of claims works with, made once for each process. */
export interface ClaimWorld {
  readonly zones: Zones;
  readonly certificates: Certificates;
  readonly clock: Clock;
  readonly settings: HostnameSettings;
  readonly dns: PublicDns | undefined;
  readonly book: PoolBook;
  readonly runs: PoolRuns;
  readonly bundler: Bundler;
  readonly topics: Topics;
  readonly settling: Settling;
  /** In the version that is served. */
  readonly loadBalancerConfiguration: Resource<LoadBalancerConfiguration>;
}
