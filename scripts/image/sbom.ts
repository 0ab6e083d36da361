import type { LockedPackage } from "./locked-packages.ts";

/** What is in the image's own layer, as CycloneDX: the same for the same lock file, so that it can be compared. */
export function sbom(version: string, packages: readonly LockedPackage[]): object {
  const component = { type: "application", "bom-ref": "gatewright", name: "gatewright", version };
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: { ...component, licenses: [{ license: { id: "Apache-2.0" } }] } },
    components: packages.map(({ name, version: pinned, license, integrity }) => ({
      type: "library",
      "bom-ref": purl(name, pinned),
      name,
      version: pinned,
      purl: purl(name, pinned),
      ...(license !== undefined && { licenses: [{ license: { id: license } }] }),
      ...(integrity !== undefined && { hashes: [hash(integrity)] }),
    })),
    dependencies: [{ ref: "gatewright", dependsOn: packages.map(({ name, version: pinned }) => purl(name, pinned)) }],
  };
}

function purl(name: string, version: string): string {
  return `pkg:npm/${name.replace("@", "%40")}@${version}`;
}

function hash(integrity: string): object {
  const [algorithm = "", digest = ""] = integrity.split("-");
  return { alg: algorithm.replace("sha", "SHA-"), content: Buffer.from(digest, "base64").toString("hex") };
}
