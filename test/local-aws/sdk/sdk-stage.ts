import assert from "node:assert/strict";
import { after, before } from "node:test";
import { startLocalCloud } from "@gatewright/local-aws";
import type { LocalCloud } from "@gatewright/local-aws";
import { systemClock, systemRandom } from "@gatewright/ports";

/** What every client of the AWS SDK for JavaScript is given here: an address and a key, nothing that is special to this cloud. */
export interface SdkConfig {
  readonly endpoint: string;
  readonly region: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  readonly maxAttempts: number;
}

/** A cloud for the tests of one file, five hundred times as fast as AWS: what takes minutes there is still seen to take time. */
export function sdkStage(): { readonly cloud: () => LocalCloud; readonly config: () => SdkConfig } {
  let cloud: LocalCloud | undefined;
  const faults: unknown[] = [];
  before(async () => {
    cloud = await startLocalCloud({
      clock: systemClock,
      random: systemRandom,
      pace: { durations: 0.002, lag: false },
      limits: "off",
      api: { port: 0 },
      dns: { port: 0 },
      onFault: (error) => void faults.push(error),
    });
  });
  after(async () => {
    await cloud?.close();
    assert.deepEqual(faults, []);
  });
  const running = (): LocalCloud => cloud ?? assert.fail("the cloud has not started");
  return {
    cloud: running,
    config: () => ({
      endpoint: running().url,
      region: "eu-west-1",
      credentials: { accessKeyId: "test", secretAccessKey: "test" },
      maxAttempts: 1,
    }),
  };
}

/** How waiters wait: in seconds, and often. */
export const PATIENCE = { maxWaitTime: 60, minDelay: 0.05, maxDelay: 0.2 } as const;

/** Everything that a paginator gives, page by page. */
export async function pagesOf<Page>(paginator: AsyncIterable<Page>): Promise<readonly Page[]> {
  const pages: Page[] = [];
  for await (const page of paginator) pages.push(page);
  return pages;
}
