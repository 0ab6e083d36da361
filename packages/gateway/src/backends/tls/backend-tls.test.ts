import assert from "node:assert/strict";
import { test } from "node:test";
import type { Note } from "../../filters/around.ts";
import { tlsPlan } from "./backend-tls.ts";
import { cipherSuite } from "./cipher-suites.ts";

const noted = (): { notes: Note[]; note: (note: Note) => void } => {
  const notes: Note[] = [];
  return { notes, note: (note) => void notes.push(note) };
};

test("cipher suites are known by their registered and by OpenSSL's names", () => {
  const names: readonly (readonly [string, string | undefined])[] = [
    ["TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", "ECDHE-RSA-AES128-GCM-SHA256"],
    ["TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384", "ECDHE-ECDSA-AES256-GCM-SHA384"],
    ["TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256", "ECDHE-RSA-CHACHA20-POLY1305"],
    ["TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA", "ECDHE-RSA-AES128-SHA"],
    ["TLS_RSA_WITH_AES_256_GCM_SHA384", "AES256-GCM-SHA384"],
    ["TLS_AES_128_GCM_SHA256", "TLS_AES_128_GCM_SHA256"],
    ["ecdhe-rsa-aes128-gcm-sha256", "ECDHE-RSA-AES128-GCM-SHA256"],
    ["TLS_NULL_WITH_NOTHING", undefined],
    ["ALL:!aNULL", undefined],
  ];
  for (const [name, expected] of names) assert.equal(cipherSuite(name), expected, name);
});

test("a plan is what the backend says, verified unless it says otherwise", () => {
  const { note, notes } = noted();
  assert.equal(tlsPlan(undefined, undefined, note), undefined);
  assert.equal(tlsPlan({ enabled: false, caFile: "ca" }, undefined, note), undefined);
  assert.deepEqual(tlsPlan({ enabled: true, mode: "SIMPLE" }, undefined, note), {
    files: {},
    verifies: true,
    minVersion: "TLSv1.2",
  });
  assert.deepEqual(
    tlsPlan(
      {
        enabled: true,
        mode: "MUTUAL",
        caFile: "ca",
        certFile: "c",
        keyFile: "k",
        minVersion: "TLS13",
        maxVersion: "TLS13",
      },
      undefined,
      note,
    ),
    { files: { ca: "ca", cert: "c", key: "k" }, verifies: true, minVersion: "TLSv1.3", maxVersion: "TLSv1.3" },
  );
  assert.equal(tlsPlan({ enabled: true, mode: "INSECURE" }, undefined, note)?.verifies, false);
  assert.equal(tlsPlan({ enabled: true, insecureSkipVerify: true }, undefined, note)?.verifies, false);
  assert.deepEqual(notes, []);
});

test("a certificate to show means TLS, also where tls says nothing", () => {
  const { note } = noted();
  const plan = tlsPlan(undefined, { certFile: "c", keyFile: "k", caFile: "" }, note);
  assert.deepEqual(plan?.files, { cert: "c", key: "k" });
});

test("Vault and unknown cipher suites are noted; when no suite is left that is an error", () => {
  const { note, notes } = noted();
  tlsPlan({ enabled: true, vault: { enabled: true }, cipherSuites: ["nothing"] }, undefined, note);
  assert.deepEqual(
    notes.map(({ field, severity }) => [field, severity]),
    [
      ["spec.tls.vault", "warning"],
      ["spec.tls.cipherSuites[0]", "warning"],
      ["spec.tls.cipherSuites", "error"],
    ],
  );
});
