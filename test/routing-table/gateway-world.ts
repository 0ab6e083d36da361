import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject } from "@gatewright/kube";
import { systemClock, systemRandom } from "@gatewright/ports";
import { Gateway } from "@gatewright/gateway";
import { fileSource } from "../../packages/gateway/src/configuration/files/file-source.ts";
import type { Certificates } from "./certificates.ts";
import { send } from "./client.ts";
import type { World } from "./world.ts";

const GRACE_MS = 0;

/**
 * Our gateway in this process, with its settings and objects in files that it is told to look at again. Requests are sent by
 * HTTP/1.1 unless another client is given.
 */
export async function gatewayWorld(certificates: Certificates, signal: AbortSignal, sender = send): Promise<World> {
  const directory = await mkdtemp(join(tmpdir(), "routing-table-"));
  const objectsFile = join(directory, "objects.json");
  const settingsFile = join(directory, "gateway.json");
  const settings = {
    apiVersion: "gateway.avapigw.io/v1",
    kind: "Gateway",
    metadata: { name: "routing-table" },
    spec: {
      listeners: [
        { name: "http", address: "127.0.0.1", port: 0 },
        { name: "https", address: "127.0.0.1", port: 0, protocol: "HTTPS", tls: listenerTls(certificates) },
      ],
      objects: ["objects.json"],
    },
  };
  const write = (objects: readonly unknown[]): Promise<void> =>
    writeFile(objectsFile, JSON.stringify({ apiVersion: "v1", kind: "List", items: objects }));
  await writeFile(settingsFile, JSON.stringify(settings));
  await write([]);

  const faults: unknown[] = [];
  const files = await fileSource(
    settingsFile,
    { clock: systemClock, changed: ({ objects }) => void gateway.replace(objects) },
    signal,
  );
  const gateway = new Gateway(files.current.settings, {
    clock: systemClock,
    random: systemRandom,
    observer: { started() {}, ended() {}, fault: (where, error) => faults.push(where, error) },
    fault: (error) => faults.push(error),
  });
  await gateway.listen(files.current.settings, signal);
  const plain = gateway.bound.find(({ isTls }) => !isTls);
  const secure = gateway.bound.find(({ isTls }) => isTls);
  if (plain === undefined || secure === undefined) throw new Error("the gateway does not listen", { cause: faults[0] });
  const doors = { plain, secure, certificates };

  return {
    name: "our gateway",
    async apply(objects) {
      await write(objects);
      await files.reload();
    },
    async request(request, until) {
      const answer = await sender(doors, request, until);
      const [fault] = faults.splice(0);
      if (fault !== undefined) throw new Error(`a fault of the gateway: ${String(fault)}`, { cause: fault });
      return answer;
    },
    async close() {
      files.close();
      await gateway.close(GRACE_MS, signal);
      await rm(directory, { recursive: true });
    },
  };
}

/** Shows a certificate of the name that is asked for, and asks clients for theirs. */
export function listenerTls(certificates: Certificates): JsonObject {
  const pair = (name: string) => ({
    certFile: certificates.file(`${name}.pem`) ?? "",
    keyFile: certificates.file(`${name}.key`) ?? "",
  });
  return {
    certificates: [pair("gateway.test"), pair("shop.test")],
    clientAuth: { mode: "request", caFile: certificates.file("authority.pem") ?? "" },
  };
}
