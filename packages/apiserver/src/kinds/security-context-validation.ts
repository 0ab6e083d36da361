import { at, child, inclusiveRangeError, invalid, isObject, required } from "@gatewright/kube";
import type { FieldError, FieldPath, Json, JsonObject } from "@gatewright/kube";
import { flag, number, struct, text, texts } from "../resources/object-fields.ts";
import { choiceErrors, optionalChoiceErrors } from "./choice-validation.ts";
import { relativePathErrors } from "./path-validation.ts";

const MAX_ID = 2 ** 31 - 1;

function idErrors(id: number | undefined, path: FieldPath): FieldError[] {
  return id !== undefined && (id < 0 || id > MAX_ID) ? [invalid(path, id, inclusiveRangeError(0, MAX_ID))] : [];
}

function profileErrors(profile: JsonObject | undefined, path: FieldPath, what: string): FieldError[] {
  if (!profile) return [];
  const [type, file] = [text(profile, "type"), profile["localhostProfile"]];
  const errors: FieldError[] = [];
  const types = ["Localhost", "RuntimeDefault", "Unconfined"];
  if (type === "")
    errors.push(
      required(
        child(path, "type"),
        what === "seccomp"
          ? "type is required when seccompProfile is set"
          : "type is required when appArmorProfile is set",
      ),
    );
  else errors.push(...choiceErrors(type, types, child(path, "type")));
  const place = child(path, "localhostProfile");
  if (type === "Localhost") {
    if (typeof file !== "string") errors.push(required(place, `must be set when ${what} type is Localhost`));
    else if (what === "seccomp") errors.push(...relativePathErrors(file, place));
  } else if (file !== undefined) {
    errors.push(invalid(place, profile, `can only be set when ${what} type is Localhost`));
  }
  return errors;
}

/** A security context as the server shows it in errors: by the names that its own types have. */
function shownContext(context: JsonObject): JsonObject {
  const { capabilities, seccompProfile, appArmorProfile } = context;
  const profile = (value: Json | undefined): Json =>
    isObject(value) ? { Type: text(value, "type"), LocalhostProfile: value["localhostProfile"] ?? null } : null;
  return {
    Capabilities: isObject(capabilities)
      ? { Add: capabilities["add"] ?? null, Drop: capabilities["drop"] ?? null }
      : null,
    Privileged: context["privileged"] ?? null,
    SELinuxOptions: context["seLinuxOptions"] ?? null,
    WindowsOptions: context["windowsOptions"] ?? null,
    RunAsUser: context["runAsUser"] ?? null,
    RunAsGroup: context["runAsGroup"] ?? null,
    RunAsNonRoot: context["runAsNonRoot"] ?? null,
    ReadOnlyRootFilesystem: context["readOnlyRootFilesystem"] ?? null,
    AllowPrivilegeEscalation: context["allowPrivilegeEscalation"] ?? null,
    ProcMount: context["procMount"] ?? null,
    SeccompProfile: profile(seccompProfile),
    AppArmorProfile: profile(appArmorProfile),
  };
}

/** The security context of a container. */
export function securityContextErrors(context: JsonObject | undefined, path: FieldPath): FieldError[] {
  if (!context) return [];
  const errors = [
    ...idErrors(number(context, "runAsUser"), child(path, "runAsUser")),
    ...idErrors(number(context, "runAsGroup"), child(path, "runAsGroup")),
    ...profileErrors(struct(context, "seccompProfile"), child(path, "seccompProfile"), "seccomp"),
  ];
  if (context["allowPrivilegeEscalation"] === false) {
    const why = "cannot set `allowPrivilegeEscalation` to false and";
    if (flag(context, "privileged")) errors.push(invalid(path, shownContext(context), `${why} \`privileged\` to true`));
    if (texts(struct(context, "capabilities"), "add").includes("CAP_SYS_ADMIN")) {
      errors.push(invalid(path, shownContext(context), `${why} \`capabilities.Add\` CAP_SYS_ADMIN`));
    }
  }
  return [...errors, ...profileErrors(struct(context, "appArmorProfile"), child(path, "appArmorProfile"), "AppArmor")];
}

/** The security context of a pod. */
export function podSecurityContextErrors(spec: JsonObject, path: FieldPath): FieldError[] {
  const context = struct(spec, "securityContext");
  if (!context) return [];
  const groups = (context["supplementalGroups"] ?? []) as number[];
  const policy = text(context, "fsGroupChangePolicy");
  const policies = ["Always", "OnRootMismatch"];
  return [
    ...idErrors(number(context, "fsGroup"), child(path, "fsGroup")),
    ...idErrors(number(context, "runAsUser"), child(path, "runAsUser")),
    ...idErrors(number(context, "runAsGroup"), child(path, "runAsGroup")),
    ...groups.flatMap((id, i) => idErrors(id, at(child(path, "supplementalGroups"), i))),
    ...(flag(spec, "shareProcessNamespace") && flag(spec, "hostPID")
      ? [
          invalid(
            child(path, "shareProcessNamespace"),
            true,
            "ShareProcessNamespace and HostPID cannot both be enabled",
          ),
        ]
      : []),
    ...optionalChoiceErrors(policy, policies, child(path, "fsGroupChangePolicy")),
    ...profileErrors(struct(context, "seccompProfile"), child(path, "seccompProfile"), "seccomp"),
    ...profileErrors(struct(context, "appArmorProfile"), child(path, "appArmorProfile"), "AppArmor"),
  ];
}
