import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { MINORS, tools } from "../tools/layer.ts";
import { clientOf, startWorld } from "../tools/world.ts";
import type { Client, World } from "../tools/world.ts";
import { WIDGET_CRD, configMap, deployment, list, widget } from "./manifests.ts";
import { suite } from "../tools/suite.ts";

for (const minor of MINORS) {
  const found = tools(minor);
  const skip = "missing" in found ? found.missing : false;
  suite(`kubectl ${minor}`, skip, () => {
    let world: World;
    let client: Client;
    const file = (name: string, text: string): string => {
      const path = join(world.folder, name);
      writeFileSync(path, text);
      return path;
    };

    before(async () => {
      world = await startWorld();
      if (!("missing" in found)) client = clientOf(world, found);
      await client.ok("apply -f -", WIDGET_CRD);
    });
    after(() => world[Symbol.asyncDispose]());

    test("version tells both sides", async () => {
      const versions = JSON.parse(await client.ok("version -o json")) as Record<
        string,
        { major: string; minor: string }
      >;
      assert.equal(versions["serverVersion"]?.major, "1");
      assert.equal(versions["serverVersion"]?.minor, "36");
    });

    test("api-resources and api-versions list built-in and custom kinds", async () => {
      const resources = await client.ok("api-resources");
      assert.match(resources, /^deployments +deploy +apps\/v1 +true +Deployment$/m);
      assert.match(resources, /^widgets +wd +example\.com\/v1 +true +Widget$/m);
      assert.match(await client.ok("api-versions"), /^example\.com\/v1$/m);
    });

    test("explain walks built-in and custom kinds", async () => {
      assert.match(await client.ok("explain deployment.spec.strategy"), /FIELD: strategy/);
      assert.match(await client.ok("explain pod.spec.containers.ports"), /containerPort\t<integer>/);
      const explained = await client.ok("explain widgets.spec.size");
      assert.match(explained, /FIELD: size <integer>/);
      assert.match(explained, /How large it is/);
    });

    test("create makes objects from files and from flags, and refuses what exists", async () => {
      await client.ok("create -f -", configMap("made", "one"));
      const again = await client.kubectl("create -f -", { stdin: configMap("made", "one") });
      assert.equal(again.code, 1);
      assert.match(again.stderr, /configmaps "made" already exists/);
      await client.ok("create configmap flags --from-literal=a=b");
      await client.ok("create secret generic hidden --from-literal=password=secret");
      await client.ok("create namespace made-ns");
      await client.ok("create serviceaccount robot");
      await client.ok("create deployment quick --image=nginx:1.27");
      await client.ok("create role reader --verb=get,list --resource=pods");
      await client.ok("create rolebinding readers --role=reader --serviceaccount=default:robot");
      assert.equal(await client.ok("get configmap flags -o jsonpath={.data.a}"), "b");
      assert.equal(await client.ok("get secret hidden -o jsonpath={.data.password}"), "c2VjcmV0");
    });

    test("apply creates, changes and leaves alone, for built-in and custom kinds", async () => {
      assert.match(await client.ok("apply -f -", deployment("web", "nginx:1.26")), /created/);
      assert.match(await client.ok("apply -f -", deployment("web", "nginx:1.26")), /unchanged/);
      assert.match(await client.ok("apply -f -", deployment("web", "nginx:1.27")), /configured/);
      assert.equal(
        await client.ok("get deploy web -o jsonpath={.spec.template.spec.containers[0].image}"),
        "nginx:1.27",
      );
      assert.match(await client.ok("apply -f -", widget("w1", 1)), /created/);
      assert.match(await client.ok("apply -f -", widget("w1", 2)), /configured/);
      assert.match(await client.ok("apply -f -", widget("w1", 2)), /unchanged/);
      const invalid = await client.kubectl("apply -f -", { stdin: widget("w2", 500) });
      assert.equal(invalid.code, 1);
      assert.match(invalid.stderr, /spec: Invalid value:.*size is too large/);
      const unknown = await client.kubectl("apply -f -", { stdin: `${widget("w2", 5)}extra: 1\n` });
      assert.match(unknown.stderr, /unknown field "extra"/);
    });

    test("apply takes a List, on the client and on the server, and what get printed", async () => {
      const items = list(configMap("l1", "a"), configMap("l2", "b"), deployment("l3", "nginx:1"), widget("l4", 4));
      const each = (outcome: string): string =>
        ["configmap/l1", "configmap/l2", "deployment.apps/l3", "widget.example.com/l4", ""].join(` ${outcome}\n`);
      assert.equal(await client.ok("apply -f -", items), each("created"));
      assert.equal(await client.ok("apply -f -", items), each("unchanged"));
      const printed = await client.ok("get configmap/l1 configmap/l2 deployment/l3 widget/l4 -o yaml");
      assert.match(printed, /^kind: List$/m);
      assert.equal(await client.ok("apply -f -", printed), each("configured"));
      assert.equal(await client.ok("apply --server-side --force-conflicts -f -", items), each("serverside-applied"));
    });

    test("kubectl itself refuses what the items of a List cannot be, before any of them is made", async () => {
      const refused = async (item: string): Promise<string> => {
        const outcome = await client.kubectl("apply -f -", { stdin: list(configMap("l5", "a"), item) });
        assert.equal(outcome.code, 1);
        assert.equal((await client.kubectl("get configmap l5")).code, 1);
        return outcome.stderr;
      };
      assert.match(
        await refused(`${deployment("l6", "nginx:1")}  replica: 3\n`),
        /ValidationError\(Deployment\.spec\): unknown field "replica" in io\.k8s\.api\.apps\.v1\.DeploymentSpec/,
      );
      assert.match(
        await refused(`${widget("l6", 6)}extra: 1\n`),
        /ValidationError\(Widget\): unknown field "extra" in com\.example\.v1\.Widget/,
      );
      assert.match(await refused(widget("l6", 6).replace("size", "colour")), /missing required field "size"/);
    });

    test("apply --server-side detects conflicts and takes fields over by force", async () => {
      await client.ok("apply --server-side --field-manager=one -f -", configMap("shared", "one"));
      const conflict = await client.kubectl("apply --server-side --field-manager=two -f -", {
        stdin: configMap("shared", "two"),
      });
      assert.equal(conflict.code, 1);
      assert.match(conflict.stderr, /conflict with "one": \.data\.key/);
      await client.ok("apply --server-side --field-manager=two --force-conflicts -f -", configMap("shared", "two"));
      assert.equal(await client.ok("get cm shared -o jsonpath={.data.key}"), "two");
      await client.ok("apply -f -", configMap("moved", "a"));
      assert.match(await client.ok("apply --server-side -f -", configMap("moved", "b")), /serverside-applied/);
    });

    test("diff shows what apply would change", async () => {
      await client.ok("apply -f -", configMap("differs", "old"));
      const diff = await client.kubectl("diff -f -", { stdin: configMap("differs", "new") });
      assert.equal(diff.code, 1, diff.stderr);
      assert.match(diff.stdout, /-\s+key: old\n\+\s+key: new/);
      assert.equal((await client.kubectl("diff -f -", { stdin: configMap("differs", "old") })).code, 0);
    });

    test("get prints tables, yaml, json, jsonpath and custom columns", async () => {
      await client.ok("apply -f -", widget("shown", 7));
      assert.match(await client.ok("get widgets"), /^NAME +SIZE +READY$/m);
      assert.match(await client.ok("get wd shown -o wide"), /^NAME +SIZE +READY +COLOUR\nshown +7 +blue$/m);
      assert.match(
        await client.ok("get deploy -o wide"),
        /^NAME +READY +UP-TO-DATE +AVAILABLE +AGE +CONTAINERS +IMAGES +SELECTOR$/m,
      );
      assert.match(await client.ok("get widget shown -o yaml"), /^  colour: blue$/m);
      assert.equal(
        (JSON.parse(await client.ok("get widget shown -o json")) as { spec: { size: number } }).spec.size,
        7,
      );
      assert.equal(await client.ok("get widget shown -o jsonpath={.spec.size}"), "7");
      assert.match(await client.ok("get widget shown -o custom-columns=N:.metadata.name,S:.spec.size"), /^shown +7$/m);
      assert.match(await client.ok("get all"), /widget\.example\.com\/shown/);
      assert.match(await client.ok("get ns,sa -A"), /namespace\/default +Active/);
      const sorted = await client.ok("get widgets --sort-by=.spec.size");
      assert.match(sorted, /shown/);
      const missing = await client.kubectl("get widget nope");
      assert.match(missing.stderr, /Error from server \(NotFound\): widgets\.example\.com "nope" not found/);
    });

    test("get -w follows changes", async () => {
      await client.ok("apply -f -", configMap("watched", "one"));
      const stop = new AbortController();
      let seen = "";
      const watching = client.kubectl('get cm watched -w -o jsonpath={.data.key}{"\\n"}', {
        signal: stop.signal,
        onOutput(text) {
          seen += text;
          if (seen.includes("two")) stop.abort();
        },
      });
      while (!seen.includes("one")) await new Promise((resolve) => setImmediate(resolve));
      await client.ok("apply -f -", configMap("watched", "two"));
      await watching;
      assert.deepEqual(seen.trim().split("\n"), ["one", "two"]);
    });

    test("describe shows objects with their events", async () => {
      assert.match(await client.ok("describe widget shown"), /Size: +7/);
      assert.match(await client.ok("describe deployment web"), /Replicas: +2 desired/);
      assert.match(await client.ok("describe namespace default"), /Status: +Active/);
    });

    test("label, annotate and the three patches change objects", async () => {
      await client.ok("apply -f -", deployment("patched", "nginx:1"));
      await client.ok("label deploy patched tier=front");
      await client.ok("annotate deploy patched note=hello");
      await client.ok(
        `patch deploy patched -p '{"spec":{"template":{"spec":{"containers":[{"name":"web","image":"nginx:2"}]}}}}'`,
      );
      await client.ok(`patch deploy patched --type=merge -p '{"spec":{"replicas":4}}'`);
      await client.ok(
        `patch deploy patched --type=json -p '[{"op":"replace","path":"/spec/minReadySeconds","value":3}]'`.replace(
          "replace",
          "add",
        ),
      );
      const object = JSON.parse(await client.ok("get deploy patched -o json")) as {
        metadata: { labels: Record<string, string>; annotations: Record<string, string> };
        spec: {
          replicas: number;
          minReadySeconds: number;
          template: { spec: { containers: { image: string; ports: unknown[] }[] } };
        };
      };
      assert.equal(object.metadata.labels["tier"], "front");
      assert.equal(object.metadata.annotations["note"], "hello");
      assert.equal(object.spec.replicas, 4);
      assert.equal(object.spec.minReadySeconds, 3);
      assert.equal(object.spec.template.spec.containers[0]?.image, "nginx:2");
      assert.equal(object.spec.template.spec.containers[0]?.ports.length, 1);
      assert.match(await client.ok("get deploy -l tier=front -o name"), /^deployment\.apps\/patched$/m);
    });

    test("replace overwrites, with and without force", async () => {
      await client.ok("create -f -", configMap("replaced", "one"));
      await client.ok("replace -f -", configMap("replaced", "two"));
      assert.equal(await client.ok("get cm replaced -o jsonpath={.data.key}"), "two");
      const before_ = await client.ok("get cm replaced -o jsonpath={.metadata.uid}");
      await client.ok(`replace --force -f ${file("replaced.yaml", configMap("replaced", "three"))}`);
      assert.notEqual(await client.ok("get cm replaced -o jsonpath={.metadata.uid}"), before_);
    });

    test("edit stores what the editor leaves", async () => {
      await client.ok("apply -f -", configMap("edited", "before"));
      const outcome = await client.kubectl("edit cm edited", { env: { KUBE_EDITOR: "sed -i s/before/after/" } });
      assert.equal(outcome.code, 0, outcome.stderr);
      assert.equal(await client.ok("get cm edited -o jsonpath={.data.key}"), "after");
    });

    test("scale changes replicas of built-in and custom kinds", async () => {
      await client.ok("apply -f -", deployment("scaled", "nginx"));
      await client.ok("scale deploy scaled --replicas=5");
      assert.equal(await client.ok("get deploy scaled -o jsonpath={.spec.replicas}"), "5");
      await client.ok(`patch widget shown --type=merge -p '{"spec":{"replicas":1}}'`);
      await client.ok("scale widget shown --replicas=3");
      assert.equal(await client.ok("get widget shown -o jsonpath={.spec.replicas}"), "3");
    });

    test("wait sees conditions and deletions", async () => {
      await client.ok("apply -f -", widget("waited", 1));
      const waiting = client.kubectl("wait widget/waited --for=condition=Ready --timeout=20s");
      await client.ok(
        `patch widget waited --subresource=status --type=merge -p '{"status":{"conditions":[{"type":"Ready","status":"True"}]}}'`,
      );
      assert.equal((await waiting).code, 0);
      assert.match(await client.ok("get widget waited"), /waited +1 +True/);
      const gone = client.kubectl("wait widget/waited --for=delete --timeout=20s");
      await client.ok("delete widget waited");
      assert.equal((await gone).code, 0);
    });

    test("delete removes dependents in the background, in the foreground, or orphans them", async () => {
      for (const [policy, left] of [
        ["background", false],
        ["foreground", false],
        ["orphan", true],
      ] as const) {
        await client.ok("apply -f -", configMap(`owner-${policy}`, "x"));
        const uid = await client.ok(`get cm owner-${policy} -o jsonpath={.metadata.uid}`);
        await client.ok(
          "apply -f -",
          `
apiVersion: v1
kind: Secret
metadata:
  name: owned-${policy}
  ownerReferences: [{ apiVersion: v1, kind: ConfigMap, name: owner-${policy}, uid: ${uid}, blockOwnerDeletion: true }]
`,
        );
        await client.ok(`delete cm owner-${policy} --cascade=${policy}`);
        if (left) {
          assert.equal(await client.ok(`get secret owned-${policy} -o jsonpath={.metadata.ownerReferences}`), "");
        } else {
          await client.ok(`wait secret/owned-${policy} --for=delete --timeout=20s`);
        }
      }
    });

    test("delete --all and namespaces that go with all they hold", async () => {
      await client.ok("create namespace doomed");
      await client.ok("-n doomed apply -f -", configMap("one", "1"));
      await client.ok("-n doomed apply -f -", widget("two", 2));
      assert.match(await client.ok("-n doomed delete widgets --all"), /"two" deleted/);
      await client.ok("delete namespace doomed --timeout=30s");
      const gone = await client.kubectl("get ns doomed");
      assert.match(gone.stderr, /namespaces "doomed" not found/);
    });

    test("auth can-i and whoami answer for the admin and for others", async () => {
      assert.equal((await client.ok("auth can-i delete pods")).trim(), "yes");
      const robot = await client.kubectl("auth can-i delete pods --as=system:serviceaccount:default:robot");
      assert.equal(robot.stdout.trim(), "no");
      assert.equal((await client.ok("auth can-i list pods --as=system:serviceaccount:default:robot")).trim(), "yes");
      assert.match(await client.ok("auth can-i --list"), /\*\.\*/);
      assert.match(await client.ok("auth whoami"), /system:masters/);
    });

    test("create token gives a token that the server knows", async () => {
      const token = (await client.ok("create token robot")).trim();
      assert.equal(token.split(".").length, 3);
      const env = { KUBECONFIG: await world.kubeconfigWith(token) };
      const whoami = await client.kubectl("auth whoami -o jsonpath={.status.userInfo.username}", { env });
      assert.equal(whoami.stdout, "system:serviceaccount:default:robot", whoami.stderr);
      const denied = await client.kubectl("get secrets", { env });
      assert.match(
        denied.stderr,
        /User "system:serviceaccount:default:robot" cannot list resource "secrets" in API group "" in the namespace "default"/,
      );
    });

    test("events lists what happened", async () => {
      await client.ok(
        "create -f -",
        `
apiVersion: v1
kind: Event
metadata: { name: told.1, namespace: default }
involvedObject: { apiVersion: v1, kind: ConfigMap, name: told, namespace: default }
reason: Tested
message: it happened
type: Normal
firstTimestamp: "2026-01-01T00:00:00Z"
lastTimestamp: "2026-01-01T00:00:00Z"
count: 1
source: { component: test }
`,
      );
      assert.match(await client.ok("events"), /Tested +ConfigMap\/told +it happened/);
      assert.match(await client.ok("get events"), /Tested/);
      assert.match(await client.ok("get events.events.k8s.io -o jsonpath={.items[*].note}"), /it happened/);
    });

    test("rollout status follows a deployment", async () => {
      await client.ok("apply -f -", deployment("rolled", "nginx"));
      const status = {
        observedGeneration: 1,
        replicas: 2,
        updatedReplicas: 2,
        readyReplicas: 2,
        availableReplicas: 2,
        conditions: [{ type: "Progressing", status: "True", reason: "NewReplicaSetAvailable" }],
      };
      const rollout = client.kubectl("rollout status deploy/rolled --timeout=20s");
      await client.ok(`patch deploy rolled --subresource=status --type=merge -p '${JSON.stringify({ status })}'`);
      const outcome = await rollout;
      assert.equal(outcome.code, 0, outcome.stderr);
      assert.match(outcome.stdout, /successfully rolled out/);
    });
  });
}
