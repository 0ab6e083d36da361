import type { JsonObject } from "@gatewright/kube";
import { setDefault, specOf, struct, structs, text } from "../resources/object-fields.ts";
import { imageTag } from "./image-name.ts";
import { claimSpecDefaults } from "./claim-spec-defaults.ts";
import { roundResourceList, roundResources } from "./resource-list.ts";

/** Fields of a volume that say where its content comes from. All others name the volume. */
const isSource = (field: string): boolean => field !== "name";

const pullPolicy = (image: string): string => (imageTag(image) === "latest" ? "Always" : "IfNotPresent");

/** Defaults of the rarely seen volume sources, by source and field. */
const SOURCE_DEFAULTS: Readonly<Record<string, JsonObject>> = {
  iscsi: { iscsiInterface: "default" },
  rbd: { pool: "rbd", user: "admin", keyring: "/etc/ceph/keyring" },
  azureDisk: { cachingMode: "ReadWrite", fsType: "ext4", readOnly: false, kind: "Shared" },
  scaleIO: { storageMode: "ThinProvisioned", fsType: "xfs" },
  hostPath: { type: "" },
  secret: { defaultMode: 0o644 },
  configMap: { defaultMode: 0o644 },
  downwardAPI: { defaultMode: 0o644 },
  projected: { defaultMode: 0o644 },
};

/** Defaults of the fields of a volume source, in pods and in persistent volumes. */
export function volumeSourceDefaults(holder: JsonObject): void {
  for (const [source, fields] of Object.entries(SOURCE_DEFAULTS)) {
    const found = struct(holder, source);
    if (found) for (const [field, value] of Object.entries(fields)) setDefault(found, field, value);
  }
}

function fieldRefDefaults(holder: JsonObject | undefined): void {
  const ref = struct(holder, "fieldRef");
  if (ref) setDefault(ref, "apiVersion", "v1");
}

function volumeDefaults(volume: JsonObject): void {
  if (!Object.keys(volume).some(isSource)) volume["emptyDir"] = {};
  volumeSourceDefaults(volume);
  structs(struct(volume, "downwardAPI"), "items").forEach(fieldRefDefaults);
  for (const source of structs(struct(volume, "projected"), "sources")) {
    structs(struct(source, "downwardAPI"), "items").forEach(fieldRefDefaults);
    const token = struct(source, "serviceAccountToken");
    if (token) setDefault(token, "expirationSeconds", 3600);
  }
  const image = struct(volume, "image");
  if (image) setDefault(image, "pullPolicy", pullPolicy(text(image, "reference")));
  const template = struct(volume, "ephemeral", "volumeClaimTemplate");
  if (template) claimSpecDefaults(specOf(template));
}

function httpGetDefaults(handler: JsonObject | undefined): void {
  const get = struct(handler, "httpGet");
  if (!get) return;
  setDefault(get, "path", "/");
  setDefault(get, "scheme", "HTTP");
}

function probeDefaults(probe: JsonObject | undefined): void {
  if (!probe) return;
  setDefault(probe, "timeoutSeconds", 1);
  setDefault(probe, "periodSeconds", 10);
  setDefault(probe, "successThreshold", 1);
  setDefault(probe, "failureThreshold", 3);
  httpGetDefaults(probe);
  const grpc = struct(probe, "grpc");
  if (grpc) grpc["service"] ??= "";
}

function containerDefaults(container: JsonObject): void {
  setDefault(container, "imagePullPolicy", pullPolicy(text(container, "image")));
  setDefault(container, "terminationMessagePath", "/dev/termination-log");
  setDefault(container, "terminationMessagePolicy", "File");
  for (const port of structs(container, "ports")) setDefault(port, "protocol", "TCP");
  for (const variable of structs(container, "env")) {
    const from = struct(variable, "valueFrom");
    fieldRefDefaults(from);
    const file = struct(from, "fileKeyRef");
    if (file) setDefault(file, "optional", false);
  }
  roundResources(struct(container, "resources"));
  for (const probe of ["livenessProbe", "readinessProbe", "startupProbe"]) probeDefaults(struct(container, probe));
  const lifecycle = struct(container, "lifecycle");
  httpGetDefaults(struct(lifecycle, "postStart"));
  httpGetDefaults(struct(lifecycle, "preStop"));
}

/** Defaults of a pod spec, wherever it stands: in a pod or in a template. */
export function podSpecDefaults(spec: JsonObject): void {
  setDefault(spec, "dnsPolicy", "ClusterFirst");
  setDefault(spec, "restartPolicy", "Always");
  setDefault(spec, "securityContext", {});
  setDefault(spec, "terminationGracePeriodSeconds", 30);
  setDefault(spec, "schedulerName", "default-scheduler");
  // The two names are one field; the older one follows.
  const account = text(spec, "serviceAccountName") || text(spec, "serviceAccount");
  if (account !== "") {
    spec["serviceAccountName"] = account;
    spec["serviceAccount"] = account;
  }
  structs(spec, "volumes").forEach(volumeDefaults);
  for (const list of ["initContainers", "containers", "ephemeralContainers"]) {
    structs(spec, list).forEach(containerDefaults);
  }
  roundResourceList(struct(spec, "overhead"));
  roundResources(struct(spec, "resources"));
}
