import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { StatusError } from "@gatewright/kube";
import { admissionregistration, apiextensions, coordination, core, networking } from "@gatewright/kube/api";
import { APIRoute, Backend, ConnectedGateway } from "@gatewright/resources";
import { createClient, loadTransport } from "@gatewright/runtime";
import type { Client } from "@gatewright/runtime";
import { freePorts } from "../../../testbed/index.ts";
import { namedBackend } from "../../routing/named-backend.ts";
import type { NamedBackend } from "../../routing/named-backend.ts";
import { steadyRequests } from "../../routing/steady-requests.ts";
import { suite } from "../../tools/suite.ts";
import { eventually } from "../eventually.ts";
import { realKube } from "../kube.ts";
import { manifests, operatorToken } from "../operator-account.ts";
import {
  EDGE,
  kubeconfigFor,
  OPERATOR,
  replicaPorts,
  startGateway,
  startOperator,
  untilReady,
  webhooksAt,
} from "./routing-parts.ts";
import type { ReplicaPorts } from "./routing-parts.ts";
import type { StartedCommand } from "./started-command.ts";

const kube = realKube();
const NAMESPACE = "real-routing";
const KINDS = [
  "apiroutes",
  "backends",
  "connectedgateways",
  "graphqlbackends",
  "graphqlroutes",
  "grpcbackends",
  "grpcroutes",
];
const at = (name: string) => ({ namespace: NAMESPACE, name });

suite(
  "routing: operator and gateways in processes of their own, on a real API server",
  "missing" in kube ? kube.missing : false,
  () => {
    if ("missing" in kube) return;
    const started: StartedCommand[] = [];
    const ended = new AsyncDisposableStack();
    let admin: Client;
    let one: NamedBackend;
    let two: NamedBackend;
    let folder: string;
    let ports: readonly [first: ReplicaPorts, second: ReplicaPorts];
    let gatewayPorts: readonly number[];
    let operator: StartedCommand;
    let gateway: StartedCommand;

    const run = (command: StartedCommand): StartedCommand => {
      started.push(command);
      return command;
    };
    const operate = async (name: string, where: ReplicaPorts): Promise<StartedCommand> => {
      const command = run(startOperator(name, join(folder, "kubeconfig"), where));
      await untilReady(command, where);
      return command;
    };

    before(async () => {
      const { transport } = await loadTransport({ kubeconfig: kube.kubeconfig });
      ended.defer(() => transport.close());
      admin = createClient(transport, { fieldManager: "platform" });
      folder = await mkdtemp(join(tmpdir(), "real-routing-"));
      ended.defer(() => rm(folder, { recursive: true }));
      ports = [await replicaPorts(), await replicaPorts()];
      gatewayPorts = await freePorts(2);
      [one, two] = [await namedBackend("one"), await namedBackend("two")];
      ended.defer(() => Promise.all([one.close(), two.close()]).then(() => {}));
      await admin.for(core.Namespace).apply({ metadata: { name: NAMESPACE } });
      for (const kind of KINDS)
        for (const crd of manifests(`config/crd/${kind}.avapigw.io.yaml`))
          await admin.for(apiextensions.CustomResourceDefinition).apply(crd as never);
      await kubeconfigFor(kube, await operatorToken(admin), join(folder, "kubeconfig"));
      const { webhook } = ports[0];
      await admin.for(admissionregistration.ValidatingWebhookConfiguration).create(webhooksAt(webhook));
      ended.defer(() => cleanUp(admin));
      operator = await operate("operator-0", ports[0]);
      gateway = run(await startGateway(admin, { folder, name: "edge-1", port: gatewayPorts[0]!, operator: ports[0] }));
    });
    after(async () => {
      await Promise.all(started.map((command) => command.end("SIGKILL")));
      await ended.disposeAsync();
    });

    const backendAt = ({ port }: NamedBackend) => ({
      metadata: at("orders"),
      spec: { hosts: [{ address: "127.0.0.1", port, weight: 1 }] },
    });
    const routeFor = (name: string) => ({
      metadata: at(name),
      spec: {
        match: [{ uri: { prefix: "/orders" } }],
        route: [{ destination: { host: "orders", port: 80 }, weight: 100 }],
      },
    });
    const withTimeout = (timeout: string) => {
      const { metadata, spec } = routeFor("orders");
      return admin.for(APIRoute).apply({ metadata, spec: { ...spec, timeout } }, { force: true });
    };
    const standing = async (): Promise<string> => {
      const { metadata, status } = await admin.for(APIRoute).get(at("orders"));
      const ready = status?.conditions?.find(({ type }) => type === "Ready");
      const isOfNow = ready?.observedGeneration === metadata.generation;
      return `${isOfNow ? ready?.status : "old"} ${status?.gateways} ${ready?.message ?? ""}`;
    };
    const answer = async (path: string, port = gatewayPorts[0]): Promise<string> => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`);
      return `${response.status} ${response.headers.get("x-backend")} ${await response.text()}`;
    };
    const isReady = (count: string) => (seen: string) => seen.startsWith(`True ${count} `);
    const holder = async () =>
      (await admin.for(coordination.Lease).get({ namespace: OPERATOR, name: "gatewright" })).spec?.holderIdentity;

    test("a route is served, and Ready by the word of the gateway", async () => {
      await admin.for(Backend).create(backendAt(one));
      await admin.for(APIRoute).create(routeFor("orders"));
      await eventually("the route is ready", standing, isReady("1/1"));
      assert.equal(await answer("/orders/7"), "200 one /orders/7");
      const { status } = await admin.for(APIRoute).get(at("orders"));
      assert.deepEqual(
        status?.appliedGateways?.map(({ namespace, name }) => `${namespace}/${name}`),
        [`${EDGE}/edge-1`],
      );
    });

    test("a route that wants another's requests is refused in words, before it is stored", async () => {
      await assert.rejects(
        admin.for(APIRoute).create(routeFor("orders-too")),
        (error) => error instanceof StatusError && /\/orders\S* is APIRoute real-routing\/orders's/.test(error.message),
      );
      assert.equal(await admin.for(APIRoute).find(at("orders-too")), undefined);
    });

    test("an Ingress is served, and says where", async () => {
      const { port } = two;
      await admin.for(core.Service).create({
        metadata: at("shop"),
        spec: { type: "ExternalName", externalName: "localhost", ports: [{ port }] },
      });
      const path = {
        path: "/shop",
        pathType: "Prefix",
        backend: { service: { name: "shop", port: { number: port } } },
      };
      await admin.for(networking.Ingress).create({
        metadata: at("shop"),
        spec: { ingressClassName: "avapigw", rules: [{ http: { paths: [path] } }] },
      });
      const { status } = await eventually(
        "the Ingress has its address",
        () => admin.for(networking.Ingress).get(at("shop")),
        (seen) => seen.status?.loadBalancer?.ingress !== undefined,
      );
      assert.deepEqual(status?.loadBalancer?.ingress, [{ ip: "127.0.0.1" }]);
      assert.equal(await answer("/shop/cart"), "200 two /shop/cart");
    });

    test("an operator that was killed is missed by nobody, and goes on where it was when it is back", async () => {
      const clients = steadyRequests(gatewayPorts[0]!, ["/orders"], new Set(["one", "two"]));
      try {
        await operator.end("SIGKILL");
        await assert.rejects(admin.for(APIRoute).create(routeFor("orders-too")), StatusError);
        assert.equal(await answer("/orders/8"), "200 one /orders/8");
        operator = await operate("operator-0", ports[0]);
        await eventually("the route is ready", standing, isReady("1/1"));
        await admin.for(Backend).apply(backendAt(two), { force: true });
        await eventually(
          "the edit arrives",
          () => answer("/orders/9"),
          (seen) => seen === "200 two /orders/9",
        );
        await withTimeout("8s");
        await eventually("the edited route is ready", standing, isReady("1/1"));
      } finally {
        await clients.stop();
      }
      assert.deepEqual(clients.tally.wrong, []);
      assert.ok(clients.tally.right > 0);
    });

    test("gateways of a replica that does not lead count, alone as well", async () => {
      await operate("operator-1", ports[1]);
      const [, port = 0] = gatewayPorts;
      run(await startGateway(admin, { folder, name: "edge-2", port, operator: ports[1] }));
      await eventually("both count", standing, isReady("2/2"));
      assert.equal(await holder(), "operator-0");
      assert.equal(await answer("/orders/1", port), "200 two /orders/1");
      await gateway.end("SIGTERM");
      await eventually("the other one counts alone", standing, isReady("1/1"));
      await withTimeout("9s");
      await eventually("so it does for an edit", standing, isReady("1/1"));
      const connected = (await admin.for(ConnectedGateway).list({ namespace: OPERATOR })).items;
      assert.deepEqual(
        connected.map(({ spec }) => `${spec.gateway.name} ${spec.replica} ${spec.behind}`),
        ["edge-2 operator-1 0"],
      );
      assert.equal(await holder(), "operator-0");
    });

    test("a leader that ends hands over to the other replica", async () => {
      const webhooks = admin.for(admissionregistration.ValidatingWebhookConfiguration);
      // What a Service would do: API servers ask the replica that stays.
      await webhooks.apply(webhooksAt(ports[1].webhook) as never, { force: true });
      await operator.end("SIGTERM");
      await eventually("the other leads", holder, (name) => name === "operator-1");
      await eventually(
        "the edit is taken",
        () => withTimeout("10s").catch(String),
        (seen) => typeof seen !== "string",
      );
      await eventually("the edited route is ready", standing, isReady("1/1"));
      await assert.rejects(admin.for(APIRoute).create(routeFor("orders-too")), /is APIRoute real-routing\/orders's/);
    });

    test("the generated roles were all that the operator needed", () => {
      const denied = started.flatMap((command) => command.said().split("\n")).filter((line) => /forbidden/i.test(line));
      assert.deepEqual(denied, []);
    });
  },
);

/** The kinds stay: other suites may use them. */
async function cleanUp(admin: Client): Promise<void> {
  await admin.for(admissionregistration.ValidatingWebhookConfiguration).delete({ name: "gatewright-routing" });
  await admin.for(core.Namespace).delete({ name: NAMESPACE });
  await admin.for(ConnectedGateway).deleteAll({ namespace: OPERATOR });
  const secrets = [
    { namespace: OPERATOR, name: "gatewright-certificates" },
    { namespace: EDGE, name: "edge-1-operator-client" },
    { namespace: EDGE, name: "edge-2-operator-client" },
  ];
  // Selected, not named: an operator that did not get as far has made none.
  for (const { namespace, name } of secrets)
    await admin.for(core.Secret).deleteAll({ namespace, fieldSelector: `metadata.name=${name}` });
}
