import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { test } from "node:test";
import { ConfirmSubscriptionCommand, SNSClient, SubscribeCommand, UnsubscribeCommand } from "@aws-sdk/client-sns";
import type { SNSTopic } from "@gatewright/resources";
import { anyKind } from "../../engine/aws-kind.ts";
import { wishOf } from "../../engine/compare.ts";
import { settle } from "../testing/kind-life.ts";
import { givenOf } from "../testing/kind-stage.ts";
import { kindWorld } from "../testing/kind-world.ts";
import { snsTopic } from "./index.ts";
import { defaultPolicy } from "./topic.ts";
import type { Topic } from "./topic.ts";

const TopicArn = "arn:aws:sns:eu-west-1:000000000000:news";

function topicOf(spec: Partial<SNSTopic["spec"]> = {}): SNSTopic {
  return {
    apiVersion: "aws-infra-operator.runner.codes/v1alpha1",
    kind: "SNSTopic",
    metadata: { name: "news", namespace: "shop", uid: "uid-1" },
    spec: { providerRef: { name: "aws" }, topicName: "news", deletionPolicy: "Delete", ...spec },
  };
}

test("mail that waits to be confirmed is not asked for again, and tells in the status that it waits", async () => {
  await using world = await kindWorld();
  const object = topicOf({ subscriptions: [{ protocol: "email", endpoint: "a@b.example" }] });
  const first = await settle(world, anyKind(snsTopic), object, givenOf());
  const again = await settle(world, anyKind(snsTopic), { ...object, status: first.object.status! }, givenOf());
  assert.equal(again.writes, 0);
  const topic = await world.passing(snsTopic.read(world.ground, "news", new Set(["subscriptions"])));
  assert.ok(topic !== "absent");
  const { subscriptionsPending, subscriptionsConfirmed, subscriptionArns } = snsTopic.statusOf(topic, world.ground);
  assert.deepEqual([subscriptionsPending, subscriptionsConfirmed, subscriptionArns], [1, 0, []]);
});

test("mail that somebody unsubscribed is asked for again, though SNS lists it for days", async () => {
  await using world = await kindWorld({ listening: true });
  const sns = new SNSClient(world.sdk());
  const object = topicOf({ subscriptions: [{ protocol: "email", endpoint: "a@b.example" }] });
  const mail = { TopicArn, Protocol: "email", Endpoint: "a@b.example", ReturnSubscriptionArn: true };
  await settle(world, anyKind(snsTopic), object, givenOf());
  const { SubscriptionArn = "" } = await sns.send(new SubscribeCommand(mail));
  const Token = hash("sha256", SubscriptionArn, "hex");
  await sns.send(new ConfirmSubscriptionCommand({ TopicArn, Token }));
  await sns.send(new UnsubscribeCommand({ SubscriptionArn }));
  const again = await settle(world, anyKind(snsTopic), object, givenOf());
  assert.equal(again.writes, 1);
  const topic = await world.passing(snsTopic.read(world.ground, "news", new Set(["subscriptions"])));
  assert.ok(topic !== "absent");
  assert.deepEqual(
    topic.subscriptions?.map(({ endpoint, arn }) => [endpoint, arn]),
    [["a@b.example", undefined]],
  );
});

test("a password in a URL reaches SNS, is told nowhere, and SNS's stars in its place are no other endpoint", async () => {
  await using world = await kindWorld({ listening: true });
  const sns = new SNSClient(world.sdk());
  const endpoint = "https://user:secret@hooks.example/x";
  const object = topicOf({ subscriptions: [{ protocol: "https", endpoint, rawMessageDelivery: true }] });
  const { wanted } = wishOf(snsTopic, object, givenOf());
  assert.doesNotMatch(JSON.stringify([...wanted]), /secret/);
  const lived = await settle(world, anyKind(snsTopic), object, givenOf());
  const web = { TopicArn, Protocol: "https", Endpoint: endpoint, Attributes: { RawMessageDelivery: "true" } };
  // Only an endpoint that is the same to the letter is subscribed already.
  const { SubscriptionArn = "" } = await sns.send(new SubscribeCommand({ ...web, ReturnSubscriptionArn: true }));
  await sns.send(new ConfirmSubscriptionCommand({ TopicArn, Token: hash("sha256", SubscriptionArn, "hex") }));
  const again = await settle(world, anyKind(snsTopic), lived.object, givenOf());
  assert.equal(again.writes, 0);
  const found = again.seen as Topic;
  assert.deepEqual(
    found.subscriptions?.map(({ arn }) => arn),
    [SubscriptionArn],
  );
});

test("telephone numbers and empty filters are the same in all spellings that SNS takes", async () => {
  await using world = await kindWorld({ listening: true });
  const subscriptions = [
    { protocol: "sms" as const, endpoint: "+1-206-555-0100" },
    { protocol: "sms" as const, endpoint: "12065550101", filterPolicy: "{ }" },
  ];
  const lived = await settle(world, anyKind(snsTopic), topicOf({ subscriptions }), givenOf());
  const again = await settle(world, anyKind(snsTopic), lived.object, givenOf());
  assert.equal(again.writes, 0);
  const topic = await world.passing(snsTopic.read(world.ground, "news", new Set(["subscriptions"])));
  assert.ok(topic !== "absent");
  assert.deepEqual(topic.subscriptions?.map(({ endpoint }) => endpoint).toSorted(), ["+12065550100", "+12065550101"]);
});

test("whom SNS knows for one who is subscribed already is not let go, whatever the spec calls it", async () => {
  await using world = await kindWorld();
  const change = async (there: string) => {
    const called: string[] = [];
    const sns = {
      subscribe: async () => ({ SubscriptionArn: `${TopicArn}:one` }),
      unsubscribe: async ({ SubscriptionArn }: { readonly SubscriptionArn: string }) =>
        void called.push(SubscriptionArn),
    };
    const ground = { ...world.ground, aws: { ...world.ground.aws, sns: { ...world.ground.aws.sns, ...sns } } };
    const subscriptions = [{ protocol: "email", endpoint: "A@B.example", arn: there, attributes: {} }];
    const topic: Topic = { name: "news", arn: TopicArn, attributes: {}, tags: {}, subscriptions };
    const object = topicOf({ subscriptions: [{ protocol: "email", endpoint: "a@b.example" }] });
    const { wanted } = wishOf(snsTopic, object, givenOf());
    await snsTopic.change(ground as never, topic, { object, given: givenOf(), fields: wanted, wanted });
    return called;
  };
  assert.deepEqual(await change(`${TopicArn}:one`), []);
  assert.deepEqual(await change(`${TopicArn}:two`), [`${TopicArn}:two`]);
});

test("of subscriptions with the same protocol and endpoint the first counts, and the others keep nothing back", async () => {
  await using world = await kindWorld();
  const [twice, other] = ["twice", "other"].map((name) => `arn:aws:sqs:eu-west-1:000000000000:${name}`);
  const object = topicOf({
    subscriptions: [
      { protocol: "sqs", endpoint: twice!, rawMessageDelivery: true },
      { protocol: "sqs", endpoint: twice! },
      { protocol: "sqs", endpoint: other! },
    ],
  });
  const { seen, ...first } = await settle(world, anyKind(snsTopic), object, givenOf());
  assert.deepEqual(
    (seen as Topic).subscriptions
      ?.map(({ endpoint, attributes }) => `${endpoint} ${attributes["RawMessageDelivery"]}`)
      .toSorted(),
    [`${other} false`, `${twice} true`],
  );
  const again = await settle(world, anyKind(snsTopic), first.object, givenOf());
  assert.equal(again.writes, 0);
});

test("while subscriptions are not declared, those of others stay and are not even read", async () => {
  await using world = await kindWorld();
  const { aws, signal } = world.ground;
  const lived = await settle(world, anyKind(snsTopic), topicOf(), givenOf());
  const Endpoint = "arn:aws:sqs:eu-west-1:000000000000:theirs";
  await world.passing(aws.sns.subscribe({ TopicArn, Protocol: "sqs", Endpoint }, { signal }));
  const changed = { ...topicOf({ displayName: "News" }), status: lived.object.status! };
  await settle(world, anyKind(snsTopic), changed, givenOf());
  const { Subscriptions } = await world.passing(aws.sns.listSubscriptionsByTopic({ TopicArn }, { signal }));
  assert.deepEqual(
    Subscriptions?.map((each) => each.Endpoint),
    [Endpoint],
  );
});

test("making a topic that is there, as it is asked for or otherwise, leaves the one that is there alone", async () => {
  await using world = await kindWorld();
  const { aws, signal } = world.ground;
  const Attributes = { DisplayName: "Theirs" };
  await world.passing(aws.sns.createTopic({ Name: "news", Attributes }, { signal }));
  const wanted = new Map([["displayName", "Ours"]]);
  const creation = { object: topicOf(), given: givenOf(), wanted, tags: { team: "shop" }, token: "t" };
  assert.equal(await world.passing(snsTopic.create(world.ground, creation)), "news");
  const topic = await world.passing(snsTopic.read(world.ground, "news", new Set()));
  assert.ok(topic !== "absent");
  assert.deepEqual([topic.attributes["DisplayName"], topic.tags], ["Theirs", {}]);
});

test("the policy of a new topic is the one that is put back", async () => {
  await using world = await kindWorld();
  await settle(world, anyKind(snsTopic), topicOf(), givenOf());
  const topic = await world.passing(snsTopic.read(world.ground, "news", new Set()));
  assert.ok(topic !== "absent");
  assert.deepEqual(JSON.parse(topic.attributes["Policy"] ?? ""), JSON.parse(defaultPolicy(TopicArn)));
});

test("a topic is removed, also when it is gone already, and a lost right is no absence", async () => {
  let allowed = true;
  await using world = await kindWorld({ faults: { before: () => (allowed ? undefined : { kind: "deny" }) } });
  await settle(world, anyKind(snsTopic), topicOf(), givenOf());
  const read = () => world.passing(snsTopic.read(world.ground, "news", new Set()));
  const topic = await read();
  assert.ok(topic !== "absent");
  allowed = false;
  await assert.rejects(read(), { code: "AuthorizationError" });
  allowed = true;
  await world.passing(snsTopic.remove(world.ground, topic, topicOf()));
  await world.passing(snsTopic.remove(world.ground, topic, topicOf()));
  assert.equal(await read(), "absent");
});
