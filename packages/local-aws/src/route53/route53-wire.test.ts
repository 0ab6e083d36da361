import assert from "node:assert/strict";
import { test } from "node:test";
import { createLocalAws } from "../http/local-aws.ts";
import { SampleClient } from "../testing/sample-client.ts";
import { route53World } from "./testing/route53-world.ts";

/** Route 53 behind the front, as signed requests see it. */
async function wire() {
  const { clock, route53 } = route53World({ durations: 0 });
  const random = { bytes: (count: number) => new Uint8Array(count) };
  const onFault = (error: unknown): void => assert.fail(String(error));
  const aws = await createLocalAws({ world: { clock, random }, services: [route53.service], limits: "off", onFault });
  const client = new SampleClient(aws, clock);
  return (operation: string, input: object = {}) => client.call("route53", operation, input);
}

test("a new zone is told with 201 and where it is", async () => {
  const call = await wire();
  const made = await call("CreateHostedZone", { Name: "example.com", CallerReference: "one" });
  assert.deepEqual([made.status, made.code], [201, "OK"]);
  const { Location, HostedZone } = made.output as { Location: string; HostedZone: { Id: string } };
  assert.ok(Location.endsWith(HostedZone.Id));
});

test("every message of a refused batch reaches the client, and nothing else happened", async () => {
  const call = await wire();
  const made = await call("CreateHostedZone", { Name: "example.com", CallerReference: "one" });
  const { Id } = made.output["HostedZone"] as { Id: string };
  const set = (Name: string) => ({ Name, Type: "A", TTL: 60, ResourceRecords: [{ Value: "10.0.0.1" }] });
  const Changes = ["a.example.com", "a.example.org", "b.example.org"].map((name) => ({
    Action: "CREATE",
    ResourceRecordSet: set(name),
  }));
  const HostedZoneId = Id.replace("/hostedzone/", "");
  const refused = await call("ChangeResourceRecordSets", { HostedZoneId, ChangeBatch: { Changes } });
  assert.deepEqual([refused.status, refused.code], [400, "InvalidChangeBatch"]);
  assert.equal(
    refused.message,
    "[RRSet with DNS name a.example.org. is not permitted in zone example.com., " +
      "RRSet with DNS name b.example.org. is not permitted in zone example.com.]",
  );
  const listed = await call("ListResourceRecordSets", { HostedZoneId });
  assert.equal((listed.output["ResourceRecordSets"] as unknown[]).length, 2);
});

test("sets come back from the wire as they went", async () => {
  const call = await wire();
  const made = await call("CreateHostedZone", { Name: "example.com", CallerReference: "one" });
  const HostedZoneId = (made.output["HostedZone"] as { Id: string }).Id.replace("/hostedzone/", "");
  const sets = [
    {
      Name: "g.example.com.",
      Type: "A",
      SetIdentifier: "here <&> there",
      GeoLocation: { CountryCode: "DE" },
      TTL: 0,
      ResourceRecords: [{ Value: "10.0.0.1" }, { Value: "10.0.0.2" }],
    },
    { Name: "t.example.com.", Type: "TXT", TTL: 60, ResourceRecords: [{ Value: '" a  <b> & \\"c\\" "' }] },
  ];
  const Changes = sets.map((ResourceRecordSet) => ({ Action: "CREATE", ResourceRecordSet }));
  const changed = await call("ChangeResourceRecordSets", { HostedZoneId, ChangeBatch: { Changes } });
  assert.equal(changed.code, "OK");
  const listed = await call("ListResourceRecordSets", { HostedZoneId, StartRecordName: "g.example.com" });
  assert.deepEqual(listed.output["ResourceRecordSets"], sets);
});
