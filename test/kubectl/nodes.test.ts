import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { Server } from "node:http";
import { connect } from "node:net";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { after, before, test } from "node:test";
import type { LogOptions, NodeAccess } from "@gatewright/apiserver";
import { MINORS, tools } from "../tools/layer.ts";
import { suite } from "../tools/suite.ts";
import { clientOf, startWorld } from "../tools/world.ts";
import type { Client, World } from "../tools/world.ts";

const PODS = { group: "", resource: "pods" };

/** Pods whose port 8080 is an HTTP server of the test, and which write two lines and then wait. */
function fakeNodes(port: () => number, asked: LogOptions[]): NodeAccess {
  return {
    async logs(_pod, container, options, signal) {
      asked.push(options);
      return (async function* () {
        yield Buffer.from(`first of ${container}\n`);
        yield Buffer.from("second\n");
        if (options.follow) await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      })();
    },
    connect(_pod, asked) {
      if (asked !== 8080) return Promise.reject(new Error("connect: connection refused"));
      return new Promise<Duplex>((resolve, reject) => {
        const socket = connect({ host: "127.0.0.1", port: port() }, () => resolve(socket));
        socket.once("error", reject);
      });
    },
  };
}

for (const minor of MINORS) {
  const found = tools(minor);
  suite(`kubectl ${minor} and what runs on nodes`, "missing" in found ? found.missing : false, () => {
    const asked: LogOptions[] = [];
    let backend: Server;
    let world: World;
    let client: Client;

    before(async () => {
      backend = createServer((request, response) => {
        if (request.method === "POST") request.pipe(response);
        else response.end(`${request.url} of the pod`);
      });
      await new Promise<void>((resolve) => backend.listen(0, "127.0.0.1", resolve));
      world = await startWorld({ nodes: fakeNodes(() => (backend.address() as AddressInfo).port, asked) });
      if (!("missing" in found)) client = clientOf(world, found);
      const container = (name: string) => ({ name, image: "i", ports: [{ name, containerPort: 8080 }] });
      for (const [name, containers] of [
        ["one", [container("web")]],
        ["two", [container("web"), container("side")]],
      ] as const) {
        const metadata = { namespace: "default", name, labels: { app: name } };
        const pod = {
          apiVersion: "v1",
          kind: "Pod",
          metadata,
          spec: { nodeName: "laptop", containers: [...containers] },
        };
        await world.server.cluster.create(PODS, pod);
        const status = { phase: "Running", podIP: "10.244.0.1", conditions: [{ type: "Ready", status: "True" }] };
        await world.server.cluster.edit(PODS, "default", name, (object) => void (object["status"] = status), "status");
      }
    });
    after(async () => {
      await world[Symbol.asyncDispose]();
      backend.closeAllConnections();
      await new Promise((resolve) => backend.close(resolve));
    });

    test("logs prints what a container wrote, of the container that is meant", async () => {
      assert.equal(await client.ok("logs one"), "first of web\nsecond\n");
      assert.equal(await client.ok("logs two -c side"), "first of side\nsecond\n");
      // kubectl asks for containers in no certain order.
      const all = (await client.ok("logs two --all-containers")).split(/(?=first)/).sort();
      assert.deepEqual(all, ["first of side\nsecond\n", "first of web\nsecond\n"]);
      assert.match(await client.ok("logs -l app=one --prefix"), /^\[pod\/one\/web\] first of web$/m);
      asked.length = 0;
      await client.ok("logs one --tail=3 --since=1m --timestamps --previous --limit-bytes=100");
      const options = {
        follow: false,
        previous: true,
        timestamps: true,
        tailLines: 3,
        sinceSeconds: 60,
        limitBytes: 100,
      };
      assert.deepEqual(asked, [options]);
      const wrong = await client.kubectl("logs two -c none");
      assert.match(wrong.stderr, /container none is not valid for pod two/);
    });

    test("logs -f goes on until it is stopped", async () => {
      const stop = new AbortController();
      const outcome = await client.kubectl("logs -f one", {
        signal: stop.signal,
        onOutput: (text) => void (text.includes("second") && stop.abort()),
      });
      assert.equal(outcome.stdout, "first of web\nsecond\n");
    });

    test("get --raw goes through the proxy of a pod", async () => {
      const path = "/api/v1/namespaces/default/pods/one:8080/proxy/page?x=1";
      assert.equal(await client.ok(`get --raw ${path}`), "/page?x=1 of the pod");
    });

    test("exec and attach say that they cannot be", async () => {
      const outcome = await client.kubectl("exec one -- ls");
      assert.equal(outcome.code, 1);
      assert.match(outcome.stderr, /exec is not supported/);
    });

    for (const webSockets of ["true", "false"]) {
      test(`port-forward carries connections, ${webSockets === "true" ? "in a WebSocket" : "by SPDY"}`, async () => {
        const stop = new AbortController();
        const ready = Promise.withResolvers<number>();
        const ended = client.kubectl("port-forward --address 127.0.0.1 pod/one :8080", {
          signal: stop.signal,
          env: { KUBECTL_PORT_FORWARD_WEBSOCKETS: webSockets },
          onOutput(text) {
            const port = /127\.0\.0\.1:(\d+) -> 8080/.exec(text)?.[1];
            if (port !== undefined) ready.resolve(Number(port));
          },
        });
        void ended.then(({ stderr }) => ready.reject(new Error(stderr)));
        const url = `http://127.0.0.1:${await ready.promise}`;
        const many = await Promise.all([1, 2, 3, 4, 5].map(async (n) => (await fetch(`${url}/${n}`)).text()));
        assert.deepEqual(
          many,
          [1, 2, 3, 4, 5].map((n) => `/${n} of the pod`),
        );
        const body = "0123456789abcdef".repeat(256 * 1024);
        const echoed = await (await fetch(url, { method: "POST", body })).text();
        assert.ok(echoed === body, "4 MiB come back as they went");
        stop.abort();
        await ended;
      });
    }

    test("port-forward tells why a port cannot be reached", async () => {
      const stop = new AbortController();
      const ended = client.kubectl("port-forward --address 127.0.0.1 pod/one :99", {
        signal: stop.signal,
        onOutput(text) {
          const port = /127\.0\.0\.1:(\d+) -> 99/.exec(text)?.[1];
          if (port !== undefined) fetch(`http://127.0.0.1:${port}`).catch(() => {});
        },
      });
      const { stderr } = await ended;
      assert.match(stderr, /error forwarding port 99 to pod one, uid [-0-9a-f]+: connect: connection refused/);
    });
  });
}
