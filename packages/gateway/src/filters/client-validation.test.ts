import assert from "node:assert/strict";
import { test } from "node:test";
import type { Answer } from "../exchange/answer.ts";
import type { Client } from "../exchange/exchange.ts";
import { certificateNames } from "./certificate-names.ts";
import { clientValidationFilter } from "./client-validation.ts";
import type { RouteTlsSpec } from "./client-validation.ts";
import { CERTIFICATES, clientWith } from "./testing/client-certificates.ts";
import { madeAround, madeCall } from "./testing/made-call.ts";

const around = () => ({
  ...madeAround(),
  readFile(path: string): string {
    if (path === "ca.pem") return `# clients\n${CERTIFICATES.root}`;
    if (path === "both.pem") return CERTIFICATES.root + CERTIFICATES.middle;
    if (path === "alice.pem") return CERTIFICATES.alice;
    if (path === "empty.pem") return "nothing";
    throw new Error("ENOENT");
  },
});

function status(spec: RouteTlsSpec, client: Client): number | undefined {
  const filter = clientValidationFilter(spec, around());
  const answer = filter?.request?.({ ...madeCall(), client }) as Answer | undefined;
  return answer?.status;
}

const plain: Client = { address: "192.0.2.7", port: 5000, tls: undefined };
const validation = (more: RouteTlsSpec["clientValidation"] = {}): RouteTlsSpec => ({
  clientValidation: { enabled: true, caFile: "ca.pem", ...more },
});

test("a certificate passes when an authority of the route issued it", () => {
  assert.equal(status(validation(), clientWith("alice")), undefined);
  assert.equal(status(validation({ caFile: "both.pem" }), clientWith("alice")), undefined);
  assert.equal(status(validation({ caFile: "both.pem" }), clientWith("bob")), undefined);
});

test("a certificate of an authority of the same name, of one that is not in the file, or of somebody who may not issue is refused", () => {
  assert.equal(status(validation(), clientWith("mallory")), 403);
  assert.equal(status(validation(), clientWith("bob")), 403);
  assert.equal(status(validation({ caFile: "alice.pem" }), clientWith("sneaky")), 403);
});

test("without a certificate a client passes only when the route says so", () => {
  assert.equal(status(validation(), clientWith()), 403);
  assert.equal(status(validation(), plain), 403);
  assert.equal(status(validation({ requireClientCert: false }), plain), undefined);
  assert.equal(status(validation({ requireClientCert: false }), clientWith("mallory")), 403);
});

test("of both lists a certificate needs a name", () => {
  const alice = clientWith("alice");
  assert.equal(status(validation({ allowedCNs: ["alice.example.com"] }), alice), undefined);
  assert.equal(status(validation({ allowedCNs: ["*.example.com"] }), alice), undefined);
  assert.equal(status(validation({ allowedCNs: ["*.com"] }), alice), 403);
  assert.equal(status(validation({ allowedCNs: ["bob"] }), alice), 403);
  assert.equal(status(validation({ allowedSANs: ["spiffe://example.com/alice"] }), alice), undefined);
  assert.equal(status(validation({ allowedSANs: ["spiffe://example.com/bob"] }), alice), 403);
  assert.equal(status(validation({ allowedCNs: ["bob"], allowedSANs: ["alice.example.com"] }), alice), 403);
  assert.equal(status(validation({ allowedSANs: ["bob"] }), clientWith("comma")), 403);
});

test("a name with a comma in it does not become two", () => {
  const comma = clientWith("comma");
  assert.equal(status(validation({ allowedSANs: ["alice.example.com"] }), comma), 403);
  assert.ok(comma.tls?.certificate);
  assert.deepEqual(certificateNames(comma.tls.certificate).alternatives, [
    { kind: "URI", value: "spiffe://x/a,DNS:alice.example.com" },
  ]);
});

test("an expired certificate is refused", () => {
  const parts = around();
  const filter = clientValidationFilter(validation(), parts);
  const client = clientWith("alice");
  parts.clock.advance(100 * 366 * 24 * 3600_000);
  assert.equal((filter?.request?.({ ...madeCall(), client }) as Answer | undefined)?.status, 403);
});

test("a connection that was made for another name is told to be made anew; over plain HTTP there is no such name", () => {
  const client = clientWith("alice");
  assert.equal(status({ sniHosts: ["api.example.com"] }, client), undefined);
  assert.equal(status({ sniHosts: ["*.EXAMPLE.com"] }, client), undefined);
  assert.equal(status({ sniHosts: ["other.example.com"] }, client), 421);
  assert.equal(status({ sniHosts: ["other.example.com"] }, plain), undefined);
});

test("authorities that cannot be read close the route and are told", () => {
  for (const caFile of ["missing.pem", "empty.pem"]) {
    const parts = around();
    const filter = clientValidationFilter(validation({ caFile }), parts);
    const answer = filter?.request?.({ ...madeCall(), client: clientWith("alice") }) as Answer | undefined;
    assert.equal(answer?.status, 503);
    assert.deepEqual(
      parts.notes.map(({ field, severity, closed }) => [field, severity, closed]),
      [["spec.tls.clientValidation.caFile", "error", true]],
    );
  }
});

test("without anything to demand there is no filter", () => {
  assert.equal(clientValidationFilter({ clientValidation: { enabled: false, caFile: "x" } }, around()), undefined);
});
