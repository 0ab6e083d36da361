import { admissionregistration, core } from "@gatewright/kube/api";
import { systemClock, systemRandom } from "@gatewright/ports";
import { addRouting, webhookManifest } from "@gatewright/routing";
import type { ConnectionView } from "@gatewright/routing";
import { createHttpTransport, createManager, quietLog } from "@gatewright/runtime";
import { secretCertificates } from "@gatewright/runtime/webhook";
import { answering, processorTime, sharedNow, usage } from "./child.ts";

/*
 * Our operator, with all that it does for a cluster: admission, the stream over TLS, statuses. Gateways of the bench share a
 * certificate: whose it is, is not asked.
 */
const LOCAL = "127.0.0.1";
const NAMESPACE = "gatewright-system";
const ports = { clock: systemClock, random: systemRandom, log: quietLog };
/** Gateways of the bench send none. */
const heartbeatMs = 3_600_000;
const ingress = { className: "avapigw", isDefault: false };

const transport = createHttpTransport({ server: process.argv[2] ?? "" });
const manager = createManager({ name: "gatewright", transport, ...ports });
const client = manager.ungated;
await client.for(core.Namespace).apply({ metadata: { name: NAMESPACE } });
const secret = { namespace: NAMESPACE, name: "gatewright-routing" };
const certificates = secretCertificates({ client, secret, hosts: [LOCAL, "localhost"], ...ports });
const { streamPort, webhookPort, catalogue, connections } = addRouting(manager, {
  ...ports,
  certificates,
  namespace: NAMESPACE,
  replica: "bench",
  settings: { streamAddress: `${LOCAL}:0`, webhooks: { host: LOCAL, port: 0 }, bindsIdentity: false, heartbeatMs },
});
void manager.run(new AbortController().signal);

const endpoint = { url: `https://${LOCAL}:${await webhookPort}` };
const port = await streamPort;
const authorities = certificates.bundle() ?? "";
const webhooks = webhookManifest({ name: "gatewright-routing", endpoint, caBundle: authorities }, ingress);
await client.for(admissionregistration.ValidatingWebhookConfiguration).apply(webhooks as never);
const leaf = { subject: { commonName: "bench" }, names: { hosts: ["bench"] }, usedBy: ["client"] as const };
const pair = await certificates.issue(leaf, 3_600_000);

/** Those that have not acknowledged the next change. */
let behind: ConnectionView[] = [];
let awaited = 0;
let all = Promise.withResolvers<number>();
connections.subscribe(() => {
  while (behind.length > 0 && behind.at(-1)!.acknowledged >= awaited) behind.pop();
  if (behind.length === 0) all.resolve(sharedNow());
});
answering({
  usage,
  processorTime,
  expect() {
    all = Promise.withResolvers();
    behind = [...connections.all()];
    awaited = catalogue.revision + 1;
  },
  all: () => all.promise,
});
process.send?.({ port, authorities, ...pair });
