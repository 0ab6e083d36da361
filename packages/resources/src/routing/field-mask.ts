import { s } from "@gatewright/kube/define";
import { textMap } from "./plain-fields.ts";

/** Changes of gRPC messages and their metadata. */
export const grpcTransform = s
  .object(
    {
      fieldMask: s
        .object(
          {
            paths: s
              .array(s.string({ minLength: 1 }), { description: "Fields that stay: user.name. Others are dropped." })
              .optional(),
          },
          { description: "Which fields of answers stay. Needs protoValidation's descriptors." },
        )
        .optional(),
      metadata: s
        .object(
          {
            static: textMap("Metadata with fixed values."),
            dynamic: textMap("Metadata with values from the call: request.header.x-id, jwt.claim.sub."),
          },
          { description: "Metadata that is added." },
        )
        .optional(),
    },
    { description: "Changes of messages and metadata." },
  )
  .optional();
