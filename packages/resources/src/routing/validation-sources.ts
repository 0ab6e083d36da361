import { s } from "@gatewright/kube/define";
import type { Rule } from "@gatewright/kube/define";
import { enabled, flag, text } from "./plain-fields.ts";
import { configMapKey } from "./secret-key.ts";

const oneSource = (fields: readonly string[]): Rule => ({
  rule: `!self.enabled || ${fields.map((field) => (field.endsWith("Ref") ? `has(self.${field})` : `(has(self.${field}) && self.${field} != '')`)).join(" || ")}`,
  message: `say what to check against: ${fields.join(", ")}`,
});

const failOnError = flag("Refuse what is wrong. false: only log it. Default: true.");

/** Checks requests against an OpenAPI document. */
export const openAPIValidation = s
  .object(
    {
      enabled: enabled("Whether requests are checked."),
      specFile: text("File with the document, on the gateway's machine."),
      specURL: s.string({ description: "Where the document is.", maxLength: 4096 }).optional(),
      specInline: text("The document itself."),
      specConfigMapRef: configMapKey("ConfigMap with the document."),
      failOnError,
      validateRequestBody: flag("Check bodies. Default: true."),
      validateRequestHeaders: flag("Check headers."),
      validateRequestParams: flag("Check parameters of path and query. Default: true."),
      validateSecurity: flag("Check that what the document demands of callers is there."),
    },
    {
      description: "Checks requests against an OpenAPI document.",
      rules: [
        oneSource(["specFile", "specURL", "specInline", "specConfigMapRef"]),
        {
          rule: "!self.enabled || !(has(self.specFile) && self.specFile != '' && has(self.specURL) && self.specURL != '')",
          message: "set specFile or specURL, not both",
        },
        {
          rule: "!self.enabled || !has(self.specURL) || self.specURL == '' || self.specURL.matches('^https?://[^/]+')",
          message: "specURL is an address such as https://example.com/openapi.yaml",
          fieldPath: ".specURL",
        },
      ],
    },
  )
  .optional();

/** Checks gRPC messages against their descriptors. */
export const protoValidation = s
  .object(
    {
      enabled: enabled("Whether messages are checked."),
      descriptorFile: text("File with a FileDescriptorSet, on the gateway's machine."),
      descriptorInline: text("The FileDescriptorSet itself, base64."),
      descriptorConfigMapRef: configMapKey("ConfigMap with the FileDescriptorSet."),
      failOnError,
      validateRequestMessage: flag("Check messages of clients. Default: true."),
    },
    {
      description: "Checks messages against their descriptors.",
      rules: [oneSource(["descriptorFile", "descriptorInline", "descriptorConfigMapRef"])],
    },
  )
  .optional();

/** Checks GraphQL documents against a schema. */
export const schemaValidation = s
  .object(
    {
      enabled: enabled("Whether documents are checked."),
      schemaFile: text("File with the schema, on the gateway's machine."),
      schemaInline: text("The schema itself."),
      schemaConfigMapRef: configMapKey("ConfigMap with the schema."),
      failOnError,
      validateVariables: flag("Check variables too."),
    },
    {
      description: "Checks documents against a schema.",
      rules: [oneSource(["schemaFile", "schemaInline", "schemaConfigMapRef"])],
    },
  )
  .optional();
