import assert from "node:assert/strict";
import { test } from "node:test";
import type { Change, ResourceRecordSet } from "@gatewright/aws-wire/types/route53";
import { BALANCER, BALANCER_ZONE, route53World } from "./testing/route53-world.ts";
import type { Route53World } from "./testing/route53-world.ts";

type Given = Partial<ResourceRecordSet> & { readonly values?: readonly string[] };

/** A change in few words: `A a.example.com` with one address unless told otherwise. */
function change(Action: string, Name: string, given: Given = {}): Change {
  const { values, ...rest } = given;
  const records = { TTL: 60, ResourceRecords: (values ?? ["10.0.0.1"]).map((Value) => ({ Value })) };
  return { Action, ResourceRecordSet: { Name, Type: "A", ...(rest.AliasTarget ? {} : records), ...rest } };
}

const alias = (DNSName: string, HostedZoneId: string) => ({
  AliasTarget: { DNSName, HostedZoneId, EvaluateTargetHealth: false },
});

interface Zone {
  readonly aws: Route53World;
  readonly id: string;
  apply(...changes: Change[]): Promise<void>;
  /** The messages that a batch is refused with. */
  messages(...changes: Change[]): Promise<readonly string[]>;
  names(): Promise<string[]>;
}

async function exampleZone(): Promise<Zone> {
  const aws = route53World();
  const id = await aws.zone("example.com");
  const batch = (Changes: readonly Change[]) => ({ HostedZoneId: id, ChangeBatch: { Changes } });
  return {
    aws,
    id,
    apply: async (...changes) => {
      await aws.call("ChangeResourceRecordSets", batch(changes));
      aws.settle();
    },
    messages: async (...changes) => {
      const error = await aws.refusal("ChangeResourceRecordSets", batch(changes));
      assert.deepEqual([error.code, error.status], ["InvalidChangeBatch", 400], error.message);
      const messages = error.details?.["messages"] as readonly string[];
      assert.equal(error.message, `[${messages.join(", ")}]`);
      return messages;
    },
    names: async () => {
      const page = await aws.call("ListResourceRecordSets", { HostedZoneId: id, MaxItems: "300" });
      return page.ResourceRecordSets.slice(2).map(({ Name, Type }) => `${Type} ${Name}`);
    },
  };
}

test("what exists cannot be created, but upserted; what does not exist cannot be deleted", async () => {
  const zone = await exampleZone();
  await zone.apply(change("CREATE", "a.example.com"));
  assert.deepEqual(await zone.messages(change("CREATE", "A.example.com.")), [
    "Tried to create resource record set [name='a.example.com.', type='A'] but it already exists",
  ]);
  await zone.apply(change("UPSERT", "a.example.com", { values: ["10.0.0.2"] }), change("UPSERT", "b.example.com"));
  assert.deepEqual(await zone.messages(change("DELETE", "c.example.com")), [
    "Tried to delete resource record set [name='c.example.com.', type='A'] but it was not found",
  ]);
  assert.deepEqual(await zone.names(), ["A a.example.com.", "A b.example.com."]);
});

test("a deletion must name the same TTL and values, in any order", async () => {
  const zone = await exampleZone();
  await zone.apply(change("CREATE", "a.example.com", { values: ["10.0.0.1", "10.0.0.2"] }));
  const told = [
    "Tried to delete resource record set [name='a.example.com.', type='A'] but the values provided do not match the current values",
  ];
  assert.deepEqual(await zone.messages(change("DELETE", "a.example.com")), told);
  assert.deepEqual(
    await zone.messages(change("DELETE", "a.example.com", { values: ["10.0.0.1", "10.0.0.2"], TTL: 61 })),
    told,
  );
  await zone.apply(change("DELETE", "a.example.com", { values: ["10.0.0.2", "10.0.0.1"] }));
  assert.deepEqual(await zone.names(), []);
});

test("one batch swaps a set for another, in whatever order", async () => {
  const zone = await exampleZone();
  const cname = { Type: "CNAME", values: ["other.example.net"] };
  await zone.apply(change("CREATE", "a.example.com", cname));
  await zone.apply(change("CREATE", "a.example.com"), change("DELETE", "a.example.com", cname));
  await zone.apply(change("DELETE", "a.example.com"), change("CREATE", "a.example.com", { values: ["10.0.0.9"] }));
  assert.deepEqual(await zone.names(), ["A a.example.com."]);
});

test("a set stands in a batch once", async () => {
  const zone = await exampleZone();
  const told = ["The request contains an invalid set of changes for a resource record set 'A a.example.com.'"];
  assert.deepEqual(await zone.messages(change("UPSERT", "a.example.com"), change("UPSERT", "a.example.com")), told);
  assert.deepEqual(await zone.messages(change("CREATE", "a.example.com"), change("UPSERT", "a.example.com")), told);
});

test("one bad change refuses all of them, and every reason is told", async () => {
  const zone = await exampleZone();
  const messages = await zone.messages(
    change("CREATE", "good.example.com"),
    change("CREATE", "elsewhere.com"),
    change("CREATE", "bad.example.com", { values: ["10.0.0.256"] }),
  );
  assert.deepEqual(messages, [
    "RRSet with DNS name elsewhere.com. is not permitted in zone example.com.",
    "Invalid Resource Record: 'FATAL problem: ARRDATAIllegalIPv4Address (Value is not a valid IPv4 address) encountered with '10.0.0.256''",
  ]);
  assert.deepEqual(await zone.names(), []);
});

test("a CNAME stands alone, and never at the top of the zone", async () => {
  const zone = await exampleZone();
  const cname = { Type: "CNAME", values: ["other.example.net"] };
  await zone.apply(change("CREATE", "a.example.com"), change("CREATE", "c.example.com", cname));
  assert.deepEqual(await zone.messages(change("UPSERT", "a.example.com", cname)), [
    "RRSet of type CNAME with DNS name a.example.com. is not permitted as it conflicts with other records with the same DNS name in zone example.com.",
  ]);
  assert.deepEqual(await zone.messages(change("UPSERT", "c.example.com")), [
    "RRSet of type A with DNS name c.example.com. is not permitted because a conflicting RRSet of type CNAME with the same DNS name already exists in zone example.com.",
  ]);
  const [apex] = await zone.messages(change("CREATE", "example.com", cname));
  assert.equal(apex, "RRSet of type CNAME with DNS name example.com. is not permitted at apex in zone example.com.");
});

test("the zone keeps its authority and its name servers; they can be changed", async () => {
  const zone = await exampleZone();
  const { ResourceRecordSets: own } = await zone.aws.call("ListResourceRecordSets", { HostedZoneId: zone.id });
  const [ns, soa] = own.map((ResourceRecordSet) => ({ Action: "DELETE", ResourceRecordSet }));
  assert.ok(ns && soa);
  assert.deepEqual(await zone.messages(ns, soa), [
    "A HostedZone must contain at least one NS record for the zone itself.",
    "A HostedZone must contain exactly one SOA record.",
  ]);
  await zone.apply({ Action: "UPSERT", ResourceRecordSet: { ...ns.ResourceRecordSet, TTL: 60 } });
});

test("names are kept in one form: lower case, octal codes, a dot at the end", async () => {
  const zone = await exampleZone();
  await zone.apply(
    change("CREATE", "*.Example.com"),
    change("CREATE", "\\101_b.example.com"),
    change("CREATE", "a\\056b.example.com"),
  );
  assert.deepEqual(await zone.names(), ["A \\052.example.com.", "A a\\056b.example.com.", "A a_b.example.com."]);
  assert.match((await zone.messages(change("CREATE", "\\052.example.com")))[0] ?? "", /already exists/);
});

test("an alias leads to a load balancer by its canonical zone, or to a set of the same zone", async () => {
  const zone = await exampleZone();
  await zone.apply(
    change("CREATE", "lb.example.com", alias(`dualstack.${BALANCER}`, BALANCER_ZONE)),
    change("CREATE", "own.example.com", alias("lb.example.com", `/hostedzone/${zone.id}`)),
  );
  const tried = (target: string, id: string) =>
    `Tried to create an alias that targets ${target}., type A in zone ${id}, but`;
  const cases: [string, string, string[]][] = [
    [BALANCER, "Z35SXDOTRQ7X7K", ["the alias target name does not lie within the target zone"]],
    [BALANCER, zone.id, ["the alias target name does not lie within the target zone", "that target was not found"]],
    ["none.eu-west-1.elb.amazonaws.com", BALANCER_ZONE, ["that target was not found"]],
    ["none.example.com", zone.id, ["that target was not found"]],
    ["x.example.com", zone.id, ["that target was not found"]],
  ];
  for (const [target, id, told] of cases) {
    const messages = await zone.messages(change("CREATE", "x.example.com", alias(target, id)));
    assert.deepEqual(
      messages,
      told.map((each) => `${tried(target, id)} ${each}`),
    );
  }
});

test("a set has either an alias or a TTL and values", async () => {
  const { aws, id } = await exampleZone();
  const refused = async (set: Partial<ResourceRecordSet>) => {
    const Changes = [{ Action: "CREATE", ResourceRecordSet: { Name: "a.example.com", Type: "A", ...set } }];
    return aws.refusal("ChangeResourceRecordSets", { HostedZoneId: id, ChangeBatch: { Changes } });
  };
  const none = await refused({});
  assert.equal(none.code, "InvalidInput");
  assert.equal(
    none.message,
    "Invalid request: Expected exactly one of [AliasTarget, all of [TTL, and ResourceRecords], or TrafficPolicyInstanceId], " +
      "but found none in Change with [Action=CREATE, Name=a.example.com, Type=A, SetIdentifier=null]",
  );
  assert.match((await refused({ TTL: 1, ...alias(BALANCER, BALANCER_ZONE) })).message, /found more than one/);
  assert.match((await refused({ TTL: 1 })).message, /Missing field 'ResourceRecords'/);
  assert.match((await refused({ ResourceRecords: [{ Value: "10.0.0.1" }] })).message, /Missing field 'TTL'/);
  assert.match(
    (await refused({ Weight: 1, TTL: 1, ResourceRecords: [{ Value: "10.0.0.1" }] })).message,
    /SetIdentifier/,
  );
});

test("sets of one name and type are chosen in one way", async () => {
  const zone = await exampleZone();
  const weighted = (SetIdentifier: string, given: Given = {}) =>
    change("CREATE", "w.example.com", { Weight: 1, SetIdentifier, ...given });
  await zone.apply(weighted("one"), weighted("two"));
  assert.deepEqual(await zone.messages(change("CREATE", "w.example.com")), [
    "RRSet with DNS name w.example.com., type A cannot be created as other RRSets exist with the same name and type.",
  ]);
  assert.match(
    (await zone.messages(weighted("three", { TTL: 61 })))[0] ?? "",
    /weighted sets must contain the same TTL/,
  );
  await zone.apply(change("CREATE", "s.example.com"));
  const multi = change("CREATE", "s.example.com", { MultiValueAnswer: true, SetIdentifier: "m" });
  assert.match((await zone.messages(multi))[0] ?? "", /because a non multivalue answer rrset exists/);
  const primary = (SetIdentifier: string) => change("CREATE", "f.example.com", { Failover: "PRIMARY", SetIdentifier });
  assert.equal((await zone.messages(primary("a"), primary("b"))).length, 2);
});

test("a batch has at most 1,000 elements, an upsert counts as two, an alias as one", async () => {
  const zone = await exampleZone();
  const many = (count: number, action: string) =>
    Array.from({ length: count }, (_, n) => change(action, `n${n}.example.com`));
  assert.deepEqual(await zone.messages(...many(501, "UPSERT")), ["Number of records limit of 1000 exceeded."]);
  assert.deepEqual(await zone.messages(...many(1001, "CREATE")), ["Number of records limit of 1000 exceeded."]);
  await zone.apply(...many(500, "UPSERT"));
  const text = (length: number) =>
    `"${"x".repeat(200)}" `
      .repeat(Math.ceil(length / 203))
      .slice(0, length - 1)
      .trimEnd();
  const long = Array.from({ length: 9 }, (_, n) =>
    change("CREATE", `t${n}.example.com`, { Type: "TXT", values: [text(3900)] }),
  );
  assert.deepEqual(await zone.messages(...long), ["Number of characters limit of 32000 exceeded."]);
  const page = await zone.aws.call("GetHostedZoneLimit", { HostedZoneId: zone.id, Type: "MAX_RRSETS_BY_ZONE" });
  assert.deepEqual([page.Limit.Value, page.Count], [10_000, 502]);
});

test("a zone is full with 10,000 sets", async () => {
  const zone = await exampleZone();
  for (let batch = 0; batch < 10; batch++) {
    const count = batch === 9 ? 998 : 1000;
    await zone.apply(...Array.from({ length: count }, (_, n) => change("CREATE", `n${batch}-${n}.example.com`)));
  }
  assert.deepEqual(await zone.messages(change("CREATE", "more.example.com")), [
    "Number of records limit of 10000 exceeded.",
  ]);
  await zone.apply(change("DELETE", "n0-0.example.com"), change("CREATE", "more.example.com"));
});

test("values are checked by their type", async () => {
  const zone = await exampleZone();
  const cases: [type: string, good: string[], bad: string[]][] = [
    ["A", ["192.0.2.1"], ["192.0.2", "1.2.3.4 ", "::1", "01.2.3.4"]],
    ["AAAA", ["::1", "2001:db8::1", "::ffff:1.2.3.4"], ["1.2.3.4", "::1%lo", "g::"]],
    ["CNAME", ["a.b"], ["a..b", "", "a b", "é.com", `${"x".repeat(64)}.com`]],
    [
      "TXT",
      ['"a"', '"a" "b"', '"\\"quoted\\" \\303\\251"', `"${"x".repeat(255)}"`],
      ["a", '"a', '"é"', `"${"x".repeat(256)}"`, ""],
    ],
    ["MX", ["10 mail.example.com"], ["mail.example.com", "65536 mail", "x mail", "10 a b"]],
    ["SRV", ["1 2 443 host.example.com", "0 0 0 ."], ["1 2 host", "1 2 99999 host"]],
    ["CAA", ['0 issue "amazon.com"', '128 iodef "mailto:a@b"'], ["0 issue amazon.com", '256 issue "a"', 'issue "a"']],
    ["NS", ["ns.example.net."], ["ns example"]],
    ["PTR", ["host.example.com"], [" "]],
    ["SPF", ['"v=spf1 -all"'], ["v=spf1"]],
    ["NAPTR", ['100 50 "u" "sip+E2U" "!^.*$!sip:a@b!" .'], ['100 "u" "s" "r" .']],
    ["DS", ["123 8 2 00ff"], ["123 8 2", "123 8 2 0"]],
    ["TLSA", ["3 1 1 abcd"], ["3 1 abcd"]],
    ["SSHFP", ["1 2 abcd"], ["1 x abcd"]],
    [
      "HTTPS",
      ["0 a.example.com", '1 . alpn="h2,h3" port=443 ipv4hint=1.2.3.4 ipv6hint=::1', "1 . no-default-alpn"],
      ["x .", "1", "1 . port=a", "0 . port=1", "1 . port=1 port=2", "1 . other=1"],
    ],
    ["SVCB", ["1 svc.example.com. ech=AAAA"], ["1 . ech=!"]],
  ];
  for (const [Type, good, bad] of cases) {
    for (const value of good) await zone.apply(change("UPSERT", `${Type}.example.com`, { Type, values: [value] }));
    for (const value of bad) {
      const [message] = await zone.messages(change("UPSERT", `${Type}.example.com`, { Type, values: [value] }));
      assert.match(message ?? "", /^Invalid Resource Record: 'FATAL problem: /, `${Type} ${value}`);
    }
  }
});

test("what is no change at all is refused", async () => {
  const { aws, id } = await exampleZone();
  for (const Changes of [
    [],
    [change("REPLACE", "a.example.com")],
    [change("CREATE", "a.example.com", { Type: "WKS" })],
  ]) {
    const error = await aws.refusal("ChangeResourceRecordSets", { HostedZoneId: id, ChangeBatch: { Changes } });
    assert.equal(error.code, "InvalidInput");
  }
});
