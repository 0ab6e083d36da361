import assert from "node:assert/strict";
import type { S3Client } from "@aws-sdk/client-s3";
import { systemClock } from "@gatewright/ports";

/** As far as it matters here: what the client would send. */
interface Request {
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number;
  readonly path: string;
  readonly query: Readonly<Record<string, string | readonly string[] | null>>;
  readonly headers: Readonly<Record<string, string>>;
}

/** The client's own signer: its type does not tell that it can sign addresses. */
interface Presigner {
  presign(request: Request, options: object): Promise<Request>;
}

/** A command of S3: its stack is one for all types of commands here. */
interface Command {
  readonly middlewareStack: {
    add(middleware: () => (args: { readonly request: unknown }) => Promise<never>, options: object): void;
  };
}

/**
 * The address of a request, signed for some seconds by the client itself, `shiftMs` from now. Nothing is sent. AWS's package for
 * it does the same, and would be one more dependency.
 */
export async function presignedUrl(client: S3Client, command: object, expiresIn: number, shiftMs = 0): Promise<string> {
  const signer = (await client.config.signer()) as unknown as Presigner;
  const { promise, resolve } = Promise.withResolvers<string>();
  (command as Command).middlewareStack.add(
    () => async (args) => {
      const request = args.request as Request;
      const host = `${request.hostname}:${request.port}`;
      const bare = Object.assign(request, { headers: { host, "x-amz-content-sha256": "UNSIGNED-PAYLOAD" } });
      const signed = await signer.presign(bare, {
        expiresIn,
        signingDate: new Date(systemClock.now() + shiftMs),
        signingRegion: "eu-west-1",
        signingService: "s3",
      });
      resolve(addressOf(signed));
      throw new NothingSent();
    },
    { step: "finalizeRequest", priority: "high", name: "presign", override: true },
  );
  await assert.rejects((client.send as (command: object) => Promise<unknown>).call(client, command), NothingSent);
  return promise;
}

class NothingSent extends Error {}

function addressOf({ protocol, hostname, port, path, query }: Request): string {
  const pairs = Object.entries(query).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value ?? ""))}`,
  );
  return `${protocol}//${hostname}:${port}${path}?${pairs.join("&")}`;
}
