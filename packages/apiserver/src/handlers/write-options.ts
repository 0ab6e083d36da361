import { forbiddenField, invalid, invalidObject, notSupported, tooLong } from "@gatewright/kube";
import type { FieldError, JsonObject } from "@gatewright/kube";

/** The parameters that every write takes. */
export interface WriteOptions {
  readonly dryRun: boolean;
  readonly fieldManager: string;
  readonly fieldValidation: FieldValidation;
  readonly force: boolean | undefined;
  /** The same, as admission shows them. */
  readonly asJson: JsonObject;
}

export type FieldValidation = "Ignore" | "Warn" | "Strict";

const VALIDATIONS = ["", "Ignore", "Strict", "Warn"];
const MAX_MANAGER = 128;

function managerErrors(manager: string): FieldError[] {
  if (Buffer.byteLength(manager) > MAX_MANAGER) return [tooLong("fieldManager", MAX_MANAGER)];
  let position = 0;
  for (const char of manager) {
    if (!/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(char)) {
      const code = char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0");
      return [invalid("fieldManager", manager, `invalid character U+${code} (at position ${position})`)];
    }
    position += Buffer.byteLength(char);
  }
  return [];
}

/** Reads and checks the parameters. `kind` names them in errors: CreateOptions, UpdateOptions, PatchOptions. */
export function parseWriteOptions(query: URLSearchParams, userAgent: string, kind: string): WriteOptions {
  const dryRun = query.getAll("dryRun").filter((value) => value !== "");
  const manager = query.get("fieldManager") ?? "";
  const validation = query.get("fieldValidation") ?? "";
  const force = query.get("force");
  const errors: FieldError[] = [...dryRunErrors(dryRun), ...managerErrors(manager)];
  if (!VALIDATIONS.includes(validation)) errors.push(notSupported("fieldValidation", validation, VALIDATIONS));
  if (errors.length > 0) throw invalidObject({ group: "meta.k8s.io", kind }, "", errors);
  return {
    dryRun: dryRun.length > 0,
    fieldManager: manager === "" ? defaultManager(userAgent) : manager,
    fieldValidation: validation === "" ? "Warn" : (validation as FieldValidation),
    force: force === null ? undefined : force !== "false" && force !== "0",
    asJson: {
      ...(dryRun.length > 0 && { dryRun }),
      ...(manager !== "" && { fieldManager: manager }),
      ...(validation !== "" && { fieldValidation: validation }),
    },
  };
}

export function dryRunErrors(values: readonly string[]): FieldError[] {
  return values.every((value) => value === "All") ? [] : [notSupported("dryRun", [...values], ["All"])];
}

/** Rules that hold for PATCH alone: apply needs a manager, and only apply knows force. */
export function checkPatchOptions(query: URLSearchParams, isApply: boolean, force: boolean | undefined): void {
  const errors: FieldError[] = [];
  if (isApply && (query.get("fieldManager") ?? "") === "") {
    errors.push({
      reason: "FieldValueRequired",
      field: "fieldManager",
      body: "Required value: is required for apply patch",
    });
  }
  if (!isApply && force !== undefined) {
    errors.push(forbiddenField("force", "may not be specified for non-apply patch"));
  }
  if (errors.length > 0) throw invalidObject({ group: "meta.k8s.io", kind: "PatchOptions" }, "", errors);
}

/** Fields written without a manager's name belong to the program that wrote them. */
function defaultManager(userAgent: string): string {
  const name = userAgent.split("/")[0] ?? "";
  const printable = [...name].filter((char) => /^[\x20-\x7e]$/.test(char)).join("");
  return printable === "" ? "unknown" : printable.slice(0, MAX_MANAGER);
}
