import assert from "node:assert/strict";
import type { WireResponse } from "@gatewright/aws-wire";
import { createLocalAws } from "../../http/local-aws.ts";
import type { LocalAws } from "../../http/local-aws.ts";
import { SampleClient } from "../../testing/sample-client.ts";
import type { Told } from "../../testing/sample-client.ts";
import { testWorld } from "../../testing/service-caller.ts";
import { createS3 } from "../create-s3.ts";

/** S3 behind the front, as signed requests see it. */
export interface S3Wire {
  readonly aws: LocalAws;
  readonly call: (operation: string, input?: object) => Promise<Told>;
  /** Signs and sends a request as it is. */
  readonly send: (method: string, path: string, more?: Sent) => Promise<WireResponse>;
}

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

export async function s3Wire(): Promise<S3Wire> {
  const world = testWorld({ lag: false });
  const aws = await createLocalAws({
    world,
    services: [createS3(world).service],
    limits: "off",
    onFault: (error) => assert.fail(String(error)),
  });
  const client = new SampleClient(aws, world.clock);
  return {
    aws,
    call: (operation, input) => client.call("s3", operation, input, "us-east-1"),
    send: (method, path, { headers = {}, body = new Uint8Array(0) } = {}) =>
      client.send("s3", { method, path, headers, body }, "us-east-1"),
  };
}
