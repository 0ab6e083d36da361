import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Change } from "@gatewright/aws-wire/types/route53";
import { AwsError } from "../aws-error.ts";
import { lookup } from "../dns/zone-lookup.ts";
import { route53World } from "./testing/route53-world.ts";
import type { Route53World } from "./testing/route53-world.ts";

const ZONE = "example.com";

/** Few labels, so that names meet; some whose characters sort before the dot. */
const label = fc.constantFrom("a", "b", "a-b", "*", "!x", "_c", "1");
const name = fc.array(label, { maxLength: 4 }).map((labels) => [...labels, "example", "com"]);
const text = (labels: readonly string[]): string => labels.join(".");
/** As the API shows names. */
const shown = (labels: readonly string[]): string =>
  `${text(labels).replaceAll("*", "\\052").replaceAll("!", "\\041")}.`;

async function newZone(): Promise<{ aws: Route53World; id: string }> {
  const aws = route53World({ durations: 0 });
  return { aws, id: await aws.zone(ZONE) };
}

const create = (Name: string, Type = "A", Value = "10.0.0.1"): Change => ({
  Action: "CREATE",
  ResourceRecordSet: { Name, Type, TTL: 60, ResourceRecords: [{ Value }] },
});

test("sets are listed by labels from the right, then by type, and every place can be begun at", async () => {
  const sets = fc.uniqueArray(fc.tuple(name, fc.constantFrom("A", "TXT", "AAAA")), {
    selector: ([labels, type]) => `${text(labels)} ${type}`,
    maxLength: 12,
  });
  const values = { A: "10.0.0.1", AAAA: "::1", TXT: '"x"' };
  await fc.assert(
    fc.asyncProperty(sets, fc.nat(), async (chosen, at) => {
      const { aws, id } = await newZone();
      if (chosen.length === 0) return;
      const Changes = chosen.map(([labels, type]) => create(text(labels), type, values[type]));
      await aws.call("ChangeResourceRecordSets", { HostedZoneId: id, ChangeBatch: { Changes } });
      const own: [string[], string][] = [
        [["example", "com"], "NS"],
        [["example", "com"], "SOA"],
      ];
      const reversed = (labels: readonly string[]): string => `${labels.toReversed().join(".")}.`;
      const expected = [...chosen, ...own].toSorted(([a, s], [b, t]) =>
        reversed(a) === reversed(b) ? (s < t ? -1 : 1) : reversed(a) < reversed(b) ? -1 : 1,
      );
      const listed = async (start: object) =>
        (await aws.call("ListResourceRecordSets", { HostedZoneId: id, ...start })).ResourceRecordSets.map(
          ({ Name, Type }) => [Name, Type],
        );
      const all = expected.map(([labels, type]) => [shown(labels), type]);
      assert.deepEqual(await listed({}), all);
      const from = at % all.length;
      const [StartRecordName, StartRecordType] = all[from] ?? [];
      assert.deepEqual(await listed({ StartRecordName, StartRecordType }), all.slice(from));
    }),
    { numRuns: 150 },
  );
});

/** RFC 4592 in the plainest words: whose records answer for a name, or that there is no such name. */
function source(owners: readonly string[][], asked: readonly string[]): string | undefined {
  const existing = new Set(owners.flatMap((owner) => owner.map((_, at) => text(owner.slice(at)))));
  if (existing.has(text(asked))) return text(asked);
  for (let cut = 1; cut < asked.length; cut++) {
    const encloser = text(asked.slice(cut));
    if (existing.has(encloser)) return existing.has(`*.${encloser}`) ? `*.${encloser}` : undefined;
  }
  return undefined;
}

test("wildcards answer as RFC 4592 has it: closest enclosers and names between included", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(name, { selector: text, maxLength: 8 }),
      fc.array(name, { maxLength: 8 }),
      async (owners, asked) => {
        const { aws, id } = await newZone();
        const addresses = new Map(owners.map((owner, at) => [text(owner), `10.0.0.${at}`]));
        const Changes = [...addresses].map(([owner, address]) => create(owner, "A", address));
        if (Changes.length > 0)
          await aws.call("ChangeResourceRecordSets", { HostedZoneId: id, ChangeBatch: { Changes } });
        for (const each of [...asked, ...owners]) {
          const from = source([...owners, ["example", "com"]], each);
          const found = lookup(aws.route53.zones, shown(each), "A");
          const address = from === undefined ? undefined : addresses.get(from);
          const kind = from === undefined ? "noName" : address === undefined ? "noData" : "found";
          assert.equal(found.kind, kind, text(each));
          if (found.kind !== "found") continue;
          assert.deepEqual(found.answers, [{ name: shown(each), type: "A", ttl: 60, value: address }]);
        }
      },
    ),
    { numRuns: 300 },
  );
});

test("a batch happens as a whole or not at all, and the count of sets is right", async () => {
  const action = fc.constantFrom("CREATE", "UPSERT", "DELETE");
  const change = fc.tuple(action, label, fc.constantFrom("A", "CNAME"), fc.constantFrom(1, 2));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(change, { minLength: 1, maxLength: 4 }), { maxLength: 12 }), async (batches) => {
      const { aws, id } = await newZone();
      const sets = async () => (await aws.call("ListResourceRecordSets", { HostedZoneId: id })).ResourceRecordSets;
      for (const batch of batches) {
        const before = await sets();
        const Changes = batch.map(([Action, owner, type, last]) => ({
          ...create(`${owner}.${ZONE}`, type, type === "A" ? `10.0.0.${last}` : `h${last}.example.net`),
          Action,
        }));
        const refused = await aws.call("ChangeResourceRecordSets", { HostedZoneId: id, ChangeBatch: { Changes } }).then(
          () => undefined,
          (error: unknown) => error,
        );
        const after = await sets();
        if (refused) {
          assert.ok(refused instanceof AwsError && refused.code === "InvalidChangeBatch");
          assert.deepEqual(after, before);
        } else {
          for (const { Action, ResourceRecordSet: set } of Changes.filter((each) => each.Action !== "DELETE")) {
            const kept = after.find(
              ({ Name, Type }) => Name.startsWith(shown([set.Name.split(".")[0] ?? ""])) && Type === set.Type,
            );
            assert.deepEqual(kept?.ResourceRecords, set.ResourceRecords, Action);
          }
        }
        const { HostedZone } = await aws.call("GetHostedZone", { Id: id });
        assert.equal(HostedZone.ResourceRecordSetCount, after.length);
        const aliases = after.filter(({ Type }) => Type === "CNAME").map(({ Name }) => Name);
        for (const alias of aliases) assert.equal(after.filter(({ Name }) => Name === alias).length, 1);
      }
    }),
    { numRuns: 150 },
  );
});
