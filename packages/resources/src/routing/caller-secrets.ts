import { s } from "@gatewright/kube/define";
import { enabled, requiredText, text } from "./plain-fields.ts";

const BCRYPT = String.raw`[$]2[aby][$][0-9]{2}[$][./A-Za-z0-9]{53}`;

const LENGTHS = "(has(self.hashAlgorithm) && self.hashAlgorithm == 'sha512' ? 128 : 64)";
const HASH_FITS = `has(self.hashAlgorithm) && self.hashAlgorithm == 'bcrypt' ? k.hash.matches(r"^${BCRYPT}$") : k.hash.matches('^[0-9a-fA-F]+$') && size(k.hash) == ${LENGTHS}`;

/** Keys that programs send. */
export const apiKey = s
  .object(
    {
      enabled: enabled("Whether keys are taken."),
      header: s.string({ description: "Header that has the key.", default: "X-API-Key" }),
      query: text("Query parameter that may have it in place of the header."),
      hashAlgorithm: s
        .string({
          description: "How the hashes of keys are made. Default: sha256.",
          enum: ["sha256", "sha512", "bcrypt"],
        })
        .optional(),
      vaultPath: text("Where the keys are in Vault."),
      keys: s
        .array(
          s.object({
            name: requiredText("Whose key it is."),
            hash: s.string({
              description: "Hash of the key as hashAlgorithm makes it: hexadecimal digits, or bcrypt's text.",
              maxLength: 256,
            }),
            roles: s.array(s.string(), { description: "Roles of the caller, for authorization." }).optional(),
          }),
          { description: "The keys. Not known to gateways of AVAPIGW.", maxItems: 1024 },
        )
        .optional(),
    },
    {
      description: "Keys that programs send.",
      rules: [
        {
          rule: "!self.enabled || self.header != '' || (has(self.query) && self.query != '')",
          message: "say where keys are: header or query",
        },
        {
          rule: `!has(self.keys) || self.keys.all(k, ${HASH_FITS})`,
          message:
            "hashes of keys are 64 hexadecimal digits (sha256), 128 (sha512) or bcrypt's text, as hashAlgorithm says",
          fieldPath: ".keys",
        },
      ],
    },
  )
  .optional();

/** Names and passwords. An addition of ours: the original gateway had no such way. */
export const basic = s
  .object(
    {
      enabled: enabled("Whether names and passwords are taken."),
      realm: text("What browsers show when they ask for a password."),
      users: s
        .array(
          s.object({
            username: s.string({
              description: "Name of the user.",
              minLength: 1,
              maxLength: 256,
              rules: [{ rule: "!self.contains(':')", message: "names of users have no colon" }],
            }),
            passwordHash: s.string({
              description: "Hash of the password: bcrypt's text, or sha256: and 64 hexadecimal digits.",
              maxLength: 128,
              rules: [
                {
                  rule: `self.matches(r"^(${BCRYPT}|sha256:[0-9a-fA-F]{64})$")`,
                  message:
                    "write bcrypt's text ($2b$…), or sha256: and 64 hexadecimal digits; never the password itself",
                },
              ],
            }),
            roles: s.array(s.string(), { description: "Roles of the user, for authorization." }).optional(),
          }),
          { description: "Who may call.", maxItems: 1024 },
        )
        .optional(),
    },
    { description: "Names and passwords. Not known to gateways of AVAPIGW." },
  )
  .optional();
