import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { createApiServer } from "@gatewright/apiserver";
import type { ApiServer } from "@gatewright/apiserver";
import type { KubeObject } from "@gatewright/kube";
import { apiextensions, core } from "@gatewright/kube/api";
import { crdOf } from "@gatewright/kube/define/manifests";
import { seededRandom } from "@gatewright/ports";
import { AWSProvider, SecretsManagerSecret, SQSQueue } from "@gatewright/resources";
import { createClient } from "@gatewright/runtime";
import type { Client } from "@gatewright/runtime";
import { ALL_KINDS } from "../kinds/index.ts";
import { kindWorld } from "../kinds/testing/kind-world.ts";
import type { KindWorld } from "../kinds/testing/kind-world.ts";
import { driftOf } from "./drift.ts";
import { PlanWroteError } from "./plan-sessions.ts";
import { createPlanner } from "./planner.ts";
import type { Planner } from "./planner.ts";
import { terminalPaint } from "./paint.ts";
import { planExitCode, planText } from "./plan-text.ts";

const API = "aws-infra-operator.runner.codes/v1alpha1";
const at = (name: string) => ({ namespace: "default", name });
const queue = (name: string, spec: object = {}): KubeObject => ({
  apiVersion: API,
  kind: "SQSQueue",
  metadata: at(name),
  spec: { providerRef: { name: "aws" }, queueName: `q-${name}`, ...spec },
});
const hidden = (name: string, spec: object): KubeObject => ({
  apiVersion: API,
  kind: "SecretsManagerSecret",
  metadata: at(name),
  spec: { secretName: name, ...spec },
});
const PROVIDER: KubeObject = {
  apiVersion: API,
  kind: "AWSProvider",
  metadata: at("aws"),
  spec: { region: "eu-west-1", defaultTags: { team: "shop" } },
};

suite("planner", () => {
  let aws: KindWorld;
  let server: ApiServer;
  let user: Client;
  let planner: Planner;
  const sent: string[] = [];

  before(async () => {
    aws = await kindWorld();
    const { clock } = aws;
    server = await createApiServer({ clock, random: seededRandom(3) });
    user = createClient(server.transport(), { clock, random: seededRandom(4), fieldManager: "user" });
    for (const kind of [AWSProvider, SecretsManagerSecret, SQSQueue])
      await user.for(apiextensions.CustomResourceDefinition).apply(crdOf(kind));
    await server.idle();
    planner = createPlanner({
      client: user,
      kinds: ALL_KINDS,
      clock,
      random: seededRandom(5),
      send: (_endpoint, request, signal) => {
        sent.push(request.headers["x-amz-target"] ?? "");
        return aws.local.handle(request, signal);
      },
      credentials: async () => ({ accessKeyId: "test", secretAccessKey: "test" }),
    });
  });
  after(async () => {
    await server.close();
    await aws[Symbol.asyncDispose]();
  });

  const plan = (objects: readonly KubeObject[], what: "apply" | "delete" = "apply") =>
    aws.passing(planner.plan(objects, what, new AbortController().signal));
  const text = async (...given: Parameters<typeof plan>): Promise<string> => planText(await plan(...given));
  /** Makes the queue of an object in AWS, as the operator would. */
  const make = async (name: string, attributes: Record<string, string> = {}) => {
    const stored = await user.for(SQSQueue).create(queue(name) as never);
    const tags = { "gatewright.dev/uid": stored.metadata.uid ?? "", team: "shop" };
    await aws.passing(aws.ground.aws.sqs.createQueue({ QueueName: `q-${name}`, Attributes: attributes, tags }));
    const status = {
      observedGeneration: 1,
      accountID: "000000000000",
      resource: { id: `q-${name}`, ownership: "Created", fields: ["queueName", "tags.team"] },
    };
    await user.for(SQSQueue).status.patch(at(name), { merge: { status } });
  };

  test("a namespace that comes with the objects need not be there yet", async () => {
    const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "later" } };
    const there = (object: KubeObject) => ({ ...object, metadata: { ...object.metadata, namespace: "later" } });
    const forecasts = await plan([namespace, there(PROVIDER), there(queue("early"))]);
    assert.deepEqual(
      forecasts.map(({ action, namespace: home, name }) => `${action} ${home}/${name}`),
      ["Create later/early"],
    );
    const [provider] = await plan([there(PROVIDER)]);
    assert.deepEqual(
      [provider?.action, provider?.notes],
      ["Blocked", ['The API server refuses it: namespaces "later" not found']],
    );
  });

  test("what the API server refuses is told with its reason, and the rest is planned", async () => {
    const told = await text([PROVIDER, queue("bad", { visibilityTimeout: -1 }), queue("good")]);
    assert.match(told, /^! SQSQueue default\/bad cannot be planned\n +The API server refuses it: .*visibilityTimeout/);
    assert.match(told, /\n\+ SQSQueue default\/good \(q-good\) will be created/);
    assert.match(told, /Plan: 1 to create, 1 that cannot be planned\.\n$/);
  });

  test("a kind that is misspelt, or of another version, is not passed over", async () => {
    const forecasts = await plan([
      PROVIDER,
      { ...queue("a"), kind: "SQSQeue" },
      { ...queue("b"), apiVersion: "aws-infra-operator.runner.codes/v9" },
      { apiVersion: "v1", kind: "Pod", metadata: at("c") },
    ]);
    assert.deepEqual(
      forecasts.map(({ name, action, notes }) => [name, action, ...notes]),
      [
        ["a", "Blocked", "There is no kind SQSQeue in aws-infra-operator.runner.codes/v1alpha1."],
        ["b", "Blocked", "There is no kind SQSQueue in aws-infra-operator.runner.codes/v9."],
      ],
    );
  });

  test("of an object that is there twice the last one counts", async () => {
    const forecasts = await plan([PROVIDER, queue("twice"), queue("twice", { delaySeconds: 4 })]);
    assert.deepEqual(
      forecasts.map(({ name, changes }) => [name, changes.some(({ field }) => field === "delaySeconds")]),
      [["twice", true]],
    );
  });

  test("new objects are created, with those first that others refer to; neither cluster nor AWS is changed", async () => {
    const files = [
      PROVIDER,
      queue("orders", { visibilityTimeout: 60, deadLetterQueue: { queueRef: { name: "failed" } } }),
      queue("failed"),
    ];
    const told = await text(files);
    assert.match(told, /^\+ SQSQueue default\/failed \(q-failed\) will be created/);
    assert.match(told, /\n\+ SQSQueue default\/orders \(q-orders\) will be created/);
    assert.match(told, /\+ visibilityTimeout +60\n/);
    assert.match(told, /\+ tags\.team +shop\n/);
    assert.match(told, /arn of SQSQueue failed, once it is there/);
    assert.match(told, /Plan: 2 to create\.\n$/);
    assert.equal(planExitCode(await plan(files)), 2);
    assert.equal(await user.for(SQSQueue).find(at("orders")), undefined);
    const { QueueUrls = [] } = await aws.passing(aws.ground.aws.sqs.listQueues({}));
    assert.deepEqual(QueueUrls, []);
  });

  test("objects that would wait for each other in a circle, and those that wait for them, are not promised", async () => {
    const after = (name: string) => ({ deadLetterQueue: { queueRef: { name } } });
    const files = [PROVIDER, queue("late", after("one")), queue("one", after("two")), queue("two", after("one"))];
    const forecasts = await plan([...files, queue("free")]);
    const endless = (a: string, b: string) =>
      `It would wait for ever: SQSQueue default/${a} waits for SQSQueue default/${b}, which waits for SQSQueue default/${a}. None is made before the other.`;
    assert.deepEqual(
      forecasts.map(({ name, action, notes }) => [name, action, ...notes]),
      [
        ["two", "Blocked", endless("two", "one")],
        ["one", "Blocked", endless("one", "two")],
        ["late", "Blocked", "It would wait for SQSQueue default/one, which cannot be made as things are."],
        ["free", "Create"],
      ],
    );
  });

  test("a circle is nobody's trouble when one of it is there already", async () => {
    await make("here");
    await user
      .for(SQSQueue)
      .status.patch(at("here"), { merge: { status: { queueARN: "arn:aws:sqs:eu-west-1:000000000000:q-here" } } });
    const forecasts = await plan([
      PROVIDER,
      queue("here", { deadLetterQueue: { queueRef: { name: "there" } } }),
      queue("there", { deadLetterQueue: { queueRef: { name: "here" } } }),
    ]);
    assert.deepEqual(forecasts.map(({ name, action }) => `${action} ${name}`).sort(), ["Change here", "Create there"]);
  });

  test("what others wrote beside a file that kubectl applied stays, and what the file had goes", async () => {
    const file = queue("shared", { delaySeconds: 5 });
    const annotations = { "kubectl.kubernetes.io/last-applied-configuration": JSON.stringify(file) };
    const { metadata, spec } = queue("shared", { delaySeconds: 5, visibilityTimeout: 77 });
    await user.for(SQSQueue).create({ spec, metadata: { ...metadata, annotations } } as never);
    const told = await text([PROVIDER, queue("shared")]);
    assert.match(told, /\+ visibilityTimeout +77\n/);
    assert.doesNotMatch(told, /delaySeconds/);
  });

  test("what was decided and is not made yet is created, and nobody has to approve it", async () => {
    await user.for(AWSProvider).create(PROVIDER as never);
    await user.for(SQSQueue).create(queue("refused") as never);
    const ready = { type: "Ready", status: "False", reason: "Invalid", message: "AWS will not have it." };
    const status = {
      resource: { id: "q-refused", ownership: "Created", fields: ["queueName"] },
      pending: { operation: "Create", token: "u-0", since: "2026-01-01T00:00:00Z" },
      conditions: [{ ...ready, lastTransitionTime: "2026-01-01T00:00:00Z" }],
    };
    await user.for(SQSQueue).status.patch(at("refused"), { merge: { status } });
    const told = await text([queue("refused")]);
    assert.match(told, /^\+ SQSQueue default\/refused \(q-refused\) will be created\n/);
    assert.match(told, /It has begun already\. The operator says: AWS will not have it\.\n/);
    assert.doesNotMatch(told, /approve/);
  });

  test("what is there is compared field by field; what is as it should be is no change", async () => {
    await make("live", { VisibilityTimeout: "30" });
    assert.equal(planExitCode(await plan([queue("live")])), 0);
    const told = await text([queue("live", { visibilityTimeout: 45, tags: { stage: "test" } })]);
    assert.match(told, /^~ SQSQueue default\/live \(q-live\) will be changed in place/);
    assert.match(told, /~ visibilityTimeout +30 -> 45\n/);
    assert.match(told, /\+ tags\.stage +test\n/);
    assert.equal((await user.for(SQSQueue).get(at("live"))).spec.visibilityTimeout, undefined);
  });

  test("what belongs to somebody else, or is not allowed, is told and is an error", async () => {
    await aws.passing(aws.ground.aws.sqs.createQueue({ QueueName: "q-theirs" }));
    const [theirs] = await plan([queue("theirs")]);
    assert.equal(theirs?.action, "Blocked");
    assert.match(theirs?.notes.join() ?? "", /q-theirs exists already and was not made by this object/);
    const [adopted] = await plan([queue("theirs", { management: { adopt: { byName: true } } })]);
    assert.equal(adopted?.action, "Adopt");
    const [nowhere] = await plan([queue("x", { providerRef: { name: "none" } })]);
    assert.match(nowhere?.notes.join() ?? "", /There is no AWSProvider none/);
    assert.equal(planExitCode([nowhere!]), 1);
    const [waiting] = await plan([queue("x", { deadLetterQueue: { queueRef: { name: "none" } } })]);
    assert.match(waiting?.notes.join() ?? "", /there is no SQSQueue none yet/);
  });

  /** Conditions by which all was as the spec of this generation says. */
  const inSync = (generation = 1) => ({
    lastSyncTime: "2026-01-01T00:00:00Z",
    conditions: [
      {
        type: "Synced",
        status: "True",
        reason: "InSync",
        message: "",
        observedGeneration: generation,
        lastTransitionTime: "2026-01-01T00:00:00Z",
      },
    ],
  });

  test("where drift is only reported, what others changed is left, and what the owner wants is not", async () => {
    const reporting = { visibilityTimeout: 30, management: { mode: "Manage", drift: { mode: "Report" } } };
    const fields = ["queueName", "visibilityTimeout", "tags.team"];
    await make("told", { VisibilityTimeout: "44" });
    await user.for(SQSQueue).patch(at("told"), { merge: { spec: reporting } });
    const { metadata } = await user.for(SQSQueue).get(at("told"));
    const { generation = 0 } = metadata;
    const known = { observedGeneration: generation, resource: { id: "q-told", ownership: "Created", fields } };
    await user.for(SQSQueue).status.patch(at("told"), { merge: { status: known } });
    const [due] = await plan([queue("told", reporting)]);
    assert.equal(due?.action, "Change", "this spec was seen, and never written");

    await user.for(SQSQueue).status.patch(at("told"), { merge: { status: inSync(generation) } });
    const [left] = await plan([queue("told", reporting)]);
    assert.deepEqual(
      [left?.action, left?.changes.map(({ field }) => field), left?.notes],
      ["Leave", ["visibilityTimeout"], ["Drift is only reported: management.drift.mode is Report."]],
    );

    const drift = driftOf([{ path: "visibilityTimeout", change: "in-place", want: 30, have: 44, secret: false }], {});
    await user.for(SQSQueue).status.patch(at("told"), { merge: { status: { drift } as never } });
    const [both] = await plan([queue("told", { ...reporting, delaySeconds: 3 })]);
    assert.deepEqual(
      [both?.action, both?.changes.map(({ field }) => field), both?.notes],
      [
        "Change",
        ["delaySeconds"],
        ["Drift is only reported: management.drift.mode is Report. visibilityTimeout stays as it is."],
      ],
    );
    const [other] = await plan([queue("told", { ...reporting, visibilityTimeout: 31 })]);
    assert.deepEqual([other?.action, other?.changes.map(({ field }) => field)], ["Change", ["visibilityTimeout"]]);
  });

  test("what is only reported asks for no approval", async () => {
    await make("renamed");
    const reporting = { management: { mode: "Manage", drift: { mode: "Report" } } };
    await user.for(SQSQueue).patch(at("renamed"), { merge: { spec: reporting } });
    const stored = await user.for(SQSQueue).get(at("renamed"));
    const tags = { "gatewright.dev/uid": stored.metadata.uid ?? "", team: "shop" };
    await aws.passing(aws.ground.aws.sqs.createQueue({ QueueName: "q-other", tags }));
    const resource = { id: "q-other", ownership: "Created", fields: ["queueName", "tags.team"] };
    const status = { ...inSync(stored.metadata.generation), resource };
    await user.for(SQSQueue).status.patch(at("renamed"), { merge: { status: status as never } });
    const [told] = await plan([queue("renamed", reporting)]);
    assert.deepEqual(
      [told?.action, told?.approval, told?.changes.map(({ field, replaces }) => [field, replaces])],
      ["Leave", undefined, [["queueName", true]]],
    );

    const drift = driftOf(
      [{ path: "queueName", change: "replace", want: "q-renamed", have: "q-other", secret: false }],
      {},
    );
    await user.for(SQSQueue).status.patch(at("renamed"), { merge: { status: { drift } as never } });
    const [beside] = await plan([queue("renamed", { ...reporting, delaySeconds: 3 })]);
    assert.deepEqual(
      [beside?.action, beside?.approval, beside?.changes.map(({ field }) => field)],
      ["Change", undefined, ["delaySeconds"]],
    );
  });

  test("what the operator would refuse to take over is not promised", async () => {
    await make("taken");
    const tags = { "gatewright.dev/uid": "another", "gatewright.dev/namespace": "x", "gatewright.dev/name": "y" };
    const { QueueUrl = "" } = await aws.passing(aws.ground.aws.sqs.getQueueUrl({ QueueName: "q-taken" }));
    await aws.passing(aws.ground.aws.sqs.tagQueue({ QueueUrl, Tags: tags }));
    const [refused] = await plan([queue("taken", { management: { adopt: { byName: true } } })]);
    assert.equal(refused?.action, "Blocked");
    assert.match(refused?.notes.join() ?? "", /by a new object with management\.adopt: delete this one/);
  });

  test("what is left to others is promised until what was made was once as the spec says", async () => {
    const shared = {
      visibilityTimeout: 45,
      management: { mode: "Manage", drift: { mode: "Repair", ignoreFields: ["visibilityTimeout"] } },
    };
    await make("shared-out", { VisibilityTimeout: "30" });
    assert.equal((await plan([queue("shared-out", shared)]))[0]?.action, "Change");
    const lastSyncTime = "2026-01-01T00:00:00Z";
    await user.for(SQSQueue).status.patch(at("shared-out"), { merge: { status: { lastSyncTime } } });
    assert.equal((await plan([queue("shared-out", shared)]))[0]?.action, "Nothing");
  });

  test("a deletion names the policy, and what it comes to", async () => {
    const told = await text([queue("live")], "delete");
    assert.match(
      told,
      /^- SQSQueue default\/live \(q-live\) will be deleted\n    deletionPolicy Delete: it goes, with its messages\./,
    );
    await user.for(SQSQueue).create(queue("user", { deadLetterQueue: { queueRef: { name: "live" } } }) as never);
    assert.match(await text([queue("live")], "delete"), /It waits until SQSQueue user is gone, which refers to it\./);
    const both = await plan([queue("live"), queue("user")], "delete");
    assert.deepEqual(
      both.map(({ name, notes }) => [name, notes.join().includes("waits")]),
      [
        ["user", false],
        ["live", false],
      ],
    );
    await user.for(SQSQueue).patch(at("live"), { merge: { spec: { deletionPolicy: "Retain" } } });
    const [kept] = await plan([queue("live")], "delete");
    assert.deepEqual([kept?.action, kept?.notes], ["Release", ["deletionPolicy Retain: it stays as it is."]]);
    assert.deepEqual(await plan([queue("never")], "delete"), []);
  });

  test("with consent by tags it is the one resource that has them, whatever the name in the spec", async () => {
    const consenting = (byTags: Record<string, string>) => queue("tagged", { management: { adopt: { byTags } } });
    const [none] = await plan([consenting({ app: "till" })]);
    assert.deepEqual(
      [none?.action, none?.notes],
      ["Blocked", ["It would wait: no resource has the tags that management.adopt.byTags names."]],
    );
    await aws.passing(aws.ground.aws.sqs.createQueue({ QueueName: "older", tags: { app: "till" } }));
    const told = await text([consenting({ app: "till" })]);
    assert.match(told, /^~ SQSQueue default\/tagged \(older\) will be taken over\n/);
    assert.match(told, /~ queueName +older -> q-tagged +\(cannot be changed in place\)\n/);
    await aws.passing(aws.ground.aws.sqs.createQueue({ QueueName: "newer", tags: { app: "till" } }));
    const [both] = await plan([consenting({ app: "till" })]);
    assert.match(both?.notes.join() ?? "", /More than one resource has the tags/);
  });

  test("where the provider leads to another region nothing is made, and nothing is believed gone", async () => {
    await make("abroad");
    await user.for(SQSQueue).status.patch(at("abroad"), { merge: { status: { region: "us-west-2" } } });
    const where =
      "It is in account 000000000000, region us-west-2; its provider leads to account 000000000000, region eu-west-1.";
    const [kept] = await plan([queue("abroad")]);
    assert.deepEqual([kept?.action, kept?.notes], ["Blocked", [`${where} Nothing is moved.`]]);
    const [held] = await plan([queue("abroad")], "delete");
    assert.deepEqual(
      [held?.action, held?.notes],
      ["Blocked", [`${where} The deletion waits until it leads there again.`]],
    );
  });

  test("what nothing was made for, and what is retained, can be deleted without a way to AWS", async () => {
    const lost = { providerRef: { name: "none" } };
    await user.for(SQSQueue).create(queue("unborn", lost) as never);
    await user.for(SQSQueue).create(queue("retained", { ...lost, deletionPolicy: "Retain" }) as never);
    const forecasts = await plan([queue("unborn"), queue("retained")], "delete");
    assert.deepEqual(
      forecasts.map(({ name, action, notes }) => [name, action, ...notes]),
      [
        ["retained", "Release", "deletionPolicy Retain: it stays as it is."],
        ["unborn", "Release", "Nothing was made in AWS for it yet."],
      ],
    );
  });

  test("tags that say whose a resource is are not promised as somebody else wants them", async () => {
    const told = await text([queue("claimed", { tags: { "managed-by": "me", stage: "test" } })]);
    assert.match(told, /\+ tags\.stage +test\n/);
    assert.doesNotMatch(told, /managed-by/);
  });

  test("what is only observed, or paused, is left alone, and not told to be as it should be", async () => {
    await aws.passing(aws.ground.aws.sqs.createQueue({ QueueName: "q-seen" }));
    const watching = [queue("seen", { visibilityTimeout: 90, management: { mode: "Observe" } })];
    assert.match(await text(watching), /^  SQSQueue default\/seen \(q-seen\) is left as it is\n/);
    const paused = [...watching, queue("seen-too", { management: { mode: "Manage", paused: true } })];
    assert.match(await text(paused), /Plan: 2 left alone\.\n$/);
    assert.equal(planExitCode(await plan(paused)), 0);
  });

  test("Secrets that come with the objects are as good as there: passwords, and keys of providers", async () => {
    const keys = { AWS_ACCESS_KEY_ID: "test", AWS_SECRET_ACCESS_KEY: "test" };
    const secret = (name: string, content: object): KubeObject => ({
      apiVersion: "v1",
      kind: "Secret",
      metadata: at(name),
      ...content,
    });
    const elsewhere = {
      ...PROVIDER,
      metadata: at("keyed"),
      spec: { region: "eu-west-1", credentialsSecret: { name: "keys" } },
    };
    const files = [
      secret("keys", { stringData: keys }),
      elsewhere,
      hidden("token", { providerRef: { name: "keyed" }, secretStringRef: { name: "value", key: "token" } }),
    ];
    const [early] = await plan(files);
    assert.match(early?.notes.join() ?? "", /there is no Secret value yet/);
    const value = secret("value", { data: { token: Buffer.from("one").toString("base64") } });
    const told = await text([...files, value]);
    assert.match(told, /^\+ SecretsManagerSecret default\/token will be created\n/);
    assert.match(told, /\+ secretStringRef +\(secret\)\n/);
    assert.equal(await user.for(core.Secret).find(at("value")), undefined);
  });

  test("what AWS refuses is told with its code", async () => {
    const mute = createPlanner({
      client: user,
      kinds: ALL_KINDS,
      clock: aws.clock,
      random: seededRandom(6),
      send: (_endpoint, request, signal) => aws.local.handle(request, signal),
      credentials: async () => ({ accessKeyId: "wrong", secretAccessKey: "wrong" }),
    });
    const [told] = await aws.passing(mute.plan([queue("live")], "apply", new AbortController().signal));
    assert.equal(told?.action, "Blocked");
    assert.match(told?.notes.join() ?? "", /InvalidClientTokenId/);
  });

  test("a provider that acts as the operator needs credentials around", async () => {
    const { clock } = aws;
    const send = () => Promise.reject(new Error("nobody is asked"));
    const alone = createPlanner({ client: user, kinds: ALL_KINDS, clock, random: seededRandom(6), send });
    const [told] = await aws.passing(alone.plan([queue("live")], "apply", new AbortController().signal));
    assert.match(told?.notes.join() ?? "", /It acts as the operator itself, whose credentials are not here/);
  });

  test("nothing that was sent to AWS changes anything, and what would is stopped", async () => {
    const changing = sent.filter((target) => target !== "" && !/\.(?:Get|List|Describe)/.test(target));
    assert.deepEqual(changing, []);
    assert.ok(sent.length > 0);
    const careless = ALL_KINDS.map((kind) => ({
      ...kind,
      read: async ({ aws: { sqs } }: { aws: typeof aws.ground.aws }, id: string) => {
        await sqs.deleteQueue({ QueueUrl: id });
        return "absent" as const;
      },
    }));
    const bad = createPlanner({
      client: user,
      kinds: careless,
      clock: aws.clock,
      random: seededRandom(6),
      send: (_endpoint, request, signal) => aws.local.handle(request, signal),
      credentials: async () => ({ accessKeyId: "test", secretAccessKey: "test" }),
    });
    await assert.rejects(aws.passing(bad.plan([queue("live")], "apply", new AbortController().signal)), PlanWroteError);
  });

  test("colours are for terminals, and what others wrote cannot steer one", async () => {
    const evil = { field: "a", want: "\u001b[2J\u202e", replaces: false };
    const forecast = {
      kind: "K",
      namespace: "n",
      name: "x",
      action: "Change",
      id: "x",
      changes: [evil],
      notes: [],
      approval: undefined,
    } as const;
    assert.ok(!planText([forecast]).includes("\u001b"));
    assert.match(planText([forecast]), /\\u001b\[2J\\u202e/);
    assert.match(planText([forecast], terminalPaint), /\u001b\[33m~/);
  });
});
