import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { after, before, test } from "node:test";
import { createAws, createHttpSend } from "@gatewright/aws";
import type { ServiceName } from "@gatewright/aws";
import type { ApiObject, Immutable, Resource } from "@gatewright/kube";
import { coordination, core, networking } from "@gatewright/kube/api";
import { DEFAULT_INSTALL_SETTINGS, operatorIam } from "@gatewright/operator";
import { systemClock, systemRandom } from "@gatewright/ports";
import {
  allResources,
  APIRoute,
  Application,
  ConnectedGateway,
  DomainClaim,
  Gateway,
  HTTPRoute,
  S3Bucket,
  SQSQueue,
} from "@gatewright/resources";
import { createClient, loadTransport } from "@gatewright/runtime";
import type { Client } from "@gatewright/runtime";
import { iamActions } from "../../../packages/infra/src/iam/iam-actions.ts";
import { envoyPart, freePorts, motoPart } from "../../../testbed/index.ts";
import type { Rendered } from "../../chart/rendered.ts";
import { namedBackend } from "../../routing/named-backend.ts";
import { tools } from "../../tools/layer.ts";
import { suite } from "../../tools/suite.ts";
import { eventually } from "../eventually.ts";
import { playLoadBalancerController } from "../hostnames/stand-in.ts";
import { realKube } from "../kube.ts";
import { installOthersKinds, untilServed } from "../others-kinds.ts";
import { reachedAt } from "../outside-pods.ts";
import { realPart } from "../part.ts";
import { kubeconfigFor } from "../routing/routing-parts.ts";
import type { StartedCommand } from "../routing/started-command.ts";
import { startChartedEnvoy, startChartedGateway } from "./charted-gateways.ts";
import { isBundled, startReplica, wholePorts } from "./replica.ts";
import type { Replica } from "./replica.ts";
import { askedBy, rightsOf } from "./rights.ts";
import type { RoleRules } from "./rights.ts";
import { settled } from "./settled.ts";
import { applicationsOf, EDITED_APPLICATIONS, EDITED_OUTPUTS, RESOURCES, routesTo, TEAM } from "./story.ts";
import { reasonFor } from "./unused-rights.ts";
import { ENVOYS, installArgs, kindsChart, operatorChart, PLACE } from "./whole-chart.ts";
import { applyAll, createZone, deleteAll, foundByDoctor, tokenOf } from "./whole-cluster.ts";

const kube = realKube();
const found = "missing" in kube ? kube : tools("1.36");
// A minute by default; what is judged here is not moto's patience.
process.env["MOTO_ACM_VALIDATION_WAIT"] = "1";
// Nothing is started that nobody would stop.
const moto = "missing" in found ? found : await realPart(motoPart);
const envoy = "missing" in moto ? moto : await realPart(envoyPart);

/** What an operator with little to do may take where much else is done. From sources it is more: a compiler comes with them. */
const [READY_MS, RESIDENT_KIB] = [30_000, (isBundled() ? 220 : 320) * 1024];

suite(
  "the operator with all parts as its chart installs it, in a process of its own under exactly the rights of its account",
  "missing" in moto && moto.missing,
  () => {
    if ("missing" in kube || "missing" in found || "missing" in moto) return;
    const { helm } = found;
    const ended = new AsyncDisposableStack();
    const commands: StartedCommand[] = [];
    const endpoint = moto.facts["AWS_ENDPOINT_URL"] ?? "";
    let admin: Client;
    let folder: string;
    let chart: Rendered;
    let zoneId: string;
    let first: Replica;
    let gatewayPort: number;
    let backendPort: number;

    const operate = (name: string, ports: Replica["ports"]): Promise<Replica> => {
      const started = (command: StartedCommand): void => void commands.push(command);
      return startReplica(chart.container, name, ports, { kubeconfig: join(folder, "kubeconfig"), started });
    };
    /** What is applied, with webhooks that lead to this port. */
    const installed = (webhook: number): readonly ApiObject[] => [
      { apiVersion: "v1", kind: "Namespace", metadata: { name: PLACE.namespace } },
      ...chart.objects.map((object) => reachedAt(object, webhook)),
    ];
    const audit = (): Promise<string> => readFile(join(kube.folder, "logs", "audit.log"), "utf8");

    before(async () => {
      ended.use(moto);
      if (!("missing" in envoy)) ended.use(envoy);
      const { transport } = await loadTransport({ kubeconfig: kube.kubeconfig });
      ended.defer(() => transport.close());
      admin = createClient(transport, { fieldManager: "platform" });
      folder = await mkdtemp(join(tmpdir(), "real-operator-"));
      ended.defer(() => rm(folder, { recursive: true }));
      const backend = await namedBackend("orders");
      ended.defer(() => backend.close());
      backendPort = backend.port;
      [gatewayPort = 0] = await freePorts(1);

      await installOthersKinds(admin);
      await applyAll(admin, (await kindsChart(helm)).objects);
      await untilServed(admin);
      chart = await operatorChart(helm, endpoint, ["127.0.0.1"]);
      const ports = await wholePorts();
      await applyAll(admin, installed(ports.webhook));
      await admin.for(core.Namespace).apply({ metadata: { name: TEAM } });
      ended.defer(async () => {
        await deleteAll(admin, installed(0).toReversed());
        await admin.for(core.Namespace).delete({ name: TEAM });
      });
      const account = { namespace: PLACE.namespace, name: chart.pod.serviceAccountName ?? "" };
      await kubeconfigFor(kube, await tokenOf(admin, account), join(folder, "kubeconfig"));
      zoneId = await createZone(endpoint, "whole.example");

      const http = createHttpSend();
      ended.defer(() => http.close());
      const aws = createAws({
        region: PLACE.region,
        endpoint,
        credentials: async () => ({ accessKeyId: "test", secretAccessKey: "test" }),
        send: http.send,
        clock: systemClock,
        random: systemRandom,
      });
      const { Subnets = [] } = await aws.ec2.describeSubnets({});
      const subnets = Subnets.slice(0, 2).flatMap(({ SubnetId }) => SubnetId ?? []);
      const playing = new AbortController();
      const played = playLoadBalancerController(admin, aws, PLACE.edge, subnets, playing.signal);
      ended.defer(async () => {
        playing.abort();
        await played;
      });
      first = await operate("whole-0", ports);
    });
    after(async () => {
      await Promise.all(commands.map((command) => command.end("SIGKILL")));
      await ended.disposeAsync();
    });

    const at = (name: string) => ({ namespace: TEAM, name });
    const ready = ({ metadata, status }: Immutable<ApiObject & { status?: Conditioned }>): boolean =>
      status?.conditions?.some(
        (each) =>
          each.type === "Ready" &&
          each.status === "True" &&
          (each.observedGeneration ?? metadata.generation) === metadata.generation,
      ) === true;
    const untilReady = <T extends ApiObject>(resource: Resource<T>, name: string) =>
      eventually(
        `${resource.kind} ${name} is ready`,
        () => admin.for(resource).get(at(name)),
        (seen) => ready(seen as never),
      );

    test("it is ready soon and takes little", async (t) => {
      await pause(5_000);
      const { readyMs, command } = first;
      const resident = /VmRSS:\s+(\d+) kB/u.exec(await readFile(`/proc/${command.pid}/status`, "utf8"))?.[1];
      t.diagnostic(`ready after ${Math.round(readyMs)} ms, ${Math.round(Number(resident) / 1024)} MiB resident`);
      assert.ok(readyMs < READY_MS, `ready after ${readyMs} ms`);
      assert.ok(Number(resident) < RESIDENT_KIB, `${resident} KiB resident`);
    });

    test("the doctor finds all that is installed, and that the operator has each of its rights", async () => {
      const findings = await foundByDoctor(kube.kubeconfig, ...installArgs(chart));
      assert.deepEqual(
        findings.filter(({ verdict }) => verdict === "fail"),
        [],
      );
      const rights = findings.find(({ check }) => check === "the operator's rights");
      assert.match(`${rights?.verdict}: ${rights?.message}`, /^ok: system:serviceaccount:whole:whole has all \d{3}$/u);
    });

    test("an Application with expose becomes live by a hostname, and another runs once", async () => {
      await applyAll(admin, applicationsOf(zoneId));
      const { status } = await eventually(
        "web has its address",
        () => admin.for(Application).get(at("web")),
        (seen) => seen.status?.url === "https://web.whole.example",
      );
      assert.equal(status?.phase, "Running");
      const { status: claimed } = await admin.for(DomainClaim).get({ name: "web.whole.example" });
      assert.ok(claimed?.conditions?.some(({ type, status: is }) => type === "Ready" && is === "True"));
      const route = await eventually(
        "web has its route",
        () => admin.for(HTTPRoute).find(at("web")),
        (seen) => seen !== undefined,
      );
      assert.deepEqual(
        route?.spec.parentRefs?.map(({ namespace, name }) => `${namespace}/${name}`),
        [`${PLACE.edge}/gw-01`],
      );
      await untilReady(Application, "migrate");
    });

    test("a queue is made, and what it says of itself is in a Secret", async () => {
      await applyAll(admin, RESOURCES);
      await untilReady(SQSQueue, "whole");
      await untilReady(SQSQueue, "other");
      await untilReady(S3Bucket, "whole");
      const secret = await admin.for(core.Secret).get(at("queue"));
      assert.match(Buffer.from(secret.data?.["url"] ?? "", "base64").toString(), /\/whole$/u);
      assert.match((await admin.for(core.ConfigMap).get(at("queue-other"))).data?.["url"] ?? "", /\/whole-other$/u);
      for (const { kind = "", metadata } of RESOURCES.slice(2)) {
        const resource = allResources.find((each) => each.kind === kind);
        if (resource === undefined) throw new Error(`${kind} is none of ours`);
        await eventually(
          `${kind} ${metadata.name} says how it is`,
          () => admin.for(resource).get(at(metadata.name ?? "")),
          (seen) => ((seen as { status?: Conditioned }).status?.conditions ?? []).length > 0,
        );
      }
    });

    test("a route and an Ingress are served by our gateway", async () => {
      commands.push(await startChartedGateway({ helm, admin, folder, operator: first.ports.stream }, gatewayPort));
      await applyAll(admin, routesTo(backendPort));
      await untilReady(APIRoute, "orders");
      const answer = await fetch(`http://127.0.0.1:${gatewayPort}/orders/7`);
      assert.equal(`${answer.status} ${await answer.text()}`, "200 /orders/7");
      await eventually(
        "the Ingress says where it is served",
        () => admin.for(networking.Ingress).get(at("shop")),
        ({ status }) => status?.loadBalancer?.ingress?.[0]?.ip === "127.0.0.1",
      );
    });

    test("a replica that comes and takes over writes nothing that was written already", async (t) => {
      /** The team's objects as they are, but for who wrote them and when. What other suites left may still go away. */
      const versions = async (): Promise<Readonly<Record<string, unknown>>> => {
        const told = allResources.filter((each) => each !== ConnectedGateway);
        const lists = await Promise.all(
          told.map(async (kind) => (await admin.for(kind).list(kind.namespaced ? { namespace: TEAM } : {})).items),
        );
        return Object.fromEntries(
          lists.flat().map((object) => {
            const { namespace, name, managedFields: _, ...metadata } = object.metadata;
            return [`${object.kind} ${namespace ?? ""}/${name}`, { ...object, metadata }];
          }),
        );
      };
      await settled(versions);
      const before = await versions();
      // By the next revision of the release the operator has one more name. Whoever leads mends what somebody spoiled.
      chart = await operatorChart(helm, endpoint, ["127.0.0.1", "localhost"]);
      const spoiled = { namespace: PLACE.edge, name: `${ENVOYS}-operator-client` };
      await admin.for(core.Secret).patch(spoiled, { merge: { data: { "tls.crt": "" } } });
      const second = await operate("whole-1", await wholePorts());
      t.diagnostic(`the other is ready after ${Math.round(second.readyMs)} ms`);
      await applyAll(admin, installed(second.ports.webhook));
      await first.command.end("SIGTERM");
      first = second;
      const leads = async () =>
        (await admin.for(coordination.Lease).get({ namespace: PLACE.namespace, name: PLACE.name })).spec
          ?.holderIdentity;
      await eventually("the other one leads", leads, (name) => name === "whole-1");
      await pause(10_000);
      const now = await versions();
      // The gateway was the other replica's: routes wait for it to come back.
      const lasting = (all: Readonly<Record<string, unknown>>) =>
        Object.fromEntries(Object.entries(all).filter(([key]) => !/Route|Backend/u.test(key)));
      assert.deepEqual(lasting(now), lasting(before));
      assert.deepEqual(Object.keys(now), Object.keys(before));
    });

    test(
      "a real Envoy starts from the chart's bootstrap, and is served in its own name by who took over",
      { skip: "missing" in envoy && envoy.missing },
      async () => {
        if ("missing" in envoy) return;
        const around = { helm, admin, folder, operator: first.ports.xds };
        await using started = await startChartedEnvoy(around, envoy.facts["binary"] ?? "");
        const look = async (path: string): Promise<string> => {
          try {
            return await (await fetch(`${started.status}${path}`)).text();
          } catch {
            return "nobody answers"; // it is not there yet
          }
        };
        await eventually(
          "Envoy has its clusters from the operator",
          () => look("/stats/prometheus"),
          (seen) => /^envoy_cluster_manager_cds_update_success\{[^}]*\} [1-9]/mu.test(seen),
        );
        assert.equal((await fetch(`${started.status}/quitquitquit`, { method: "POST" })).status, 404);
        const told = await (await fetch(`http://127.0.0.1:${first.ports.metrics}/metrics`)).text();
        assert.match(told, /^avapigw_operator_gateways_connected 1$/mu);
      },
    );

    test("edits take away what is not wanted any more, and then all of it goes", async () => {
      for (const [name, spec] of EDITED_APPLICATIONS) {
        await admin.for(Application).patch(at(name), { merge: { spec } });
        await eventually(
          `${name} is as it should be`,
          () => admin.for(Application).get(at(name)),
          ({ metadata, status }) => status?.observedGeneration === metadata.generation && status?.phase !== "Pending",
        );
      }
      await eventually(
        "its hostname is given up",
        async () => (await admin.for(DomainClaim).list()).items.length,
        (count) => count === 0,
      );
      for (const writeOutputsTo of EDITED_OUTPUTS)
        for (const name of ["whole", "other"]) {
          await admin.for(SQSQueue).patch(at(name), { merge: { spec: { writeOutputsTo } } });
          await untilReady(SQSQueue, name);
        }
      await eventually(
        "their words are gone",
        async () => [
          await admin.for(core.Secret).find(at("queue")),
          await admin.for(core.ConfigMap).find(at("queue-other")),
        ],
        (seen) => seen.every((each) => each === undefined),
      );
      await eventually(
        "the Gateway that nobody needs is gone",
        async () => (await admin.for(Gateway).list({ namespace: PLACE.edge })).items.length,
        (count) => count === 0,
      );
      const [, , ...resources] = RESOURCES;
      const providers = resources.filter(({ kind }) => kind === "AWSProvider");
      const managed = resources.filter(({ kind }) => kind !== "AWSProvider");
      await deleteAll(admin, [...routesTo(backendPort), ...applicationsOf(zoneId), ...managed]);
      const left = async (): Promise<readonly string[]> => {
        const lists = await Promise.all(
          allResources.map(async (kind) => (await admin.for(kind).list()).items as readonly ApiObject[]),
        );
        return lists
          .flat()
          .filter(({ kind, metadata }) => metadata.namespace === TEAM || kind === "DomainClaim")
          .map(({ kind, metadata }) => `${kind} ${metadata.name}`);
      };
      await eventually("everything but the providers is gone", left, (seen) =>
        seen.every((each) => each.startsWith("AWSProvider")),
      );
      await deleteAll(admin, providers);
      await eventually("the providers are gone", left, (seen) => seen.length === 0);
    });

    test("AWS was asked for nothing that the generated policy does not allow", async () => {
      const text = await (await fetch(`http://127.0.0.1:${first.ports.metrics}/metrics`)).text();
      const calls = [...text.matchAll(/^gatewright_aws_calls_total\{service="(\w+)",operation="(\w+)"/gmu)];
      assert.ok(calls.length > 10);
      const { Statement } = operatorIam({ ...DEFAULT_INSTALL_SETTINGS, cluster: PLACE.cluster });
      const allowed = new Set(Statement.flatMap(({ Action }) => Action));
      const refused = calls
        .flatMap(([, service = "", operation = ""]) => iamActions(service as ServiceName, operation))
        .filter((action) => !allowed.has(action));
      assert.deepEqual([...new Set(refused)], []);
    });

    test("no call was denied, and every right was used or is there for a reason", async (t) => {
      const { used, denied, calls } = askedBy(
        `system:serviceaccount:${PLACE.namespace}:${chart.pod.serviceAccountName}`,
        await audit(),
      );
      t.diagnostic(`${calls} calls`);
      assert.ok(calls > 100);
      assert.deepEqual(denied, []);
      const roles = [...chart.all("ClusterRole"), ...chart.all("Role")] as readonly RoleRules[];
      const granted = [...rightsOf(roles)];
      const unused = granted.filter((right) => !used.has(right));
      t.diagnostic(`${granted.length} rights, ${unused.length} of them not used`);
      assert.deepEqual(
        unused.filter((right) => reasonFor(right) === undefined),
        [],
        "rights that nothing used, and for which no reason is given",
      );
      assert.deepEqual(
        granted.filter((right) => used.has(right) && reasonFor(right)?.uses === "never"),
        [],
        "rights that were used, though it is said that they are not",
      );
    });
  },
);

interface Conditioned {
  readonly conditions?: readonly {
    readonly type: string;
    readonly status: string;
    readonly observedGeneration?: number;
  }[];
}
