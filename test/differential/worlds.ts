import { createApiServer, createCertificateAuthority } from "@gatewright/apiserver";
import { systemClock, systemRandom } from "@gatewright/ports";
import { ADVERTISED_ADDRESS, upKube } from "../../testbed/index.ts";
import type { Progress } from "../../testbed/index.ts";
import { Exchange } from "./exchange.ts";
import { startWebhookServer } from "./webhook-server.ts";
import { ALICE } from "./world.ts";
import type { World } from "./world.ts";

/** What the embedded server has too. Others would write to objects that the cases compare. */
const CONTROLLERS = [
  "garbage-collector-controller",
  "namespace-controller",
  "resourcequota-controller",
  "root-ca-certificate-publisher-controller",
  "serviceaccount-controller",
  "serviceaccount-token-controller",
  "validatingadmissionpolicy-status-controller",
];

/** The real control plane, with just the controllers that the embedded server has. */
export async function startRealWorld(version: string, progress: Progress): Promise<World> {
  const users = [{ ...ALICE }];
  const kube = await upKube({ version, users, controllers: CONTROLLERS, nodes: false, gatewayApi: false, progress });
  const authority = await createCertificateAuthority({ clock: systemClock, random: systemRandom });
  const webhook = await startWebhookServer(authority);
  const exchange = new Exchange(kube.url, kube.ca);
  return {
    name: "real",
    url: kube.url,
    ca: kube.ca,
    addresses: [new URL(kube.url).host, `${ADVERTISED_ADDRESS}:${new URL(kube.url).port}`],
    exchange,
    tokens: { admin: kube.token, alice: ALICE.token },
    webhook,
    async [Symbol.asyncDispose]() {
      exchange.close();
      await kube.stop();
      await webhook[Symbol.asyncDispose]();
    },
  };
}

/** The embedded server behind TLS, as the real one is. */
export async function startEmbeddedWorld(): Promise<World> {
  const authority = await createCertificateAuthority({ clock: systemClock, random: systemRandom });
  const admin = "admin-of-the-differential-tests";
  const server = await createApiServer({
    access: "required",
    caBundle: authority.certificate,
    tokens: [
      { token: admin, user: { username: "admin", groups: ["system:masters", "system:authenticated"] } },
      { token: ALICE.token, user: { username: ALICE.name, groups: [...ALICE.groups, "system:authenticated"] } },
    ],
    log: (level, message, fields) => level === "error" && console.error("embedded server:", message, fields),
  });
  const { certificate, key } = await authority.issueServing();
  const tls = { cert: certificate, key, clientCa: authority.certificate };
  const listener = await server.listen({ host: "127.0.0.1", port: 0, tls });
  const webhook = await startWebhookServer(authority);
  const exchange = new Exchange(listener.url, authority.certificate);
  return {
    name: "embedded",
    url: listener.url,
    ca: authority.certificate,
    addresses: [new URL(listener.url).host],
    exchange,
    tokens: { admin, alice: ALICE.token },
    webhook,
    async [Symbol.asyncDispose]() {
      exchange.close();
      await listener.close();
      await server.close();
      await webhook[Symbol.asyncDispose]();
    },
  };
}
