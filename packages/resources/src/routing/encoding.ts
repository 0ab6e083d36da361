import { s } from "@gatewright/kube/define";
import { count, enabled, text, texts } from "./plain-fields.ts";

const formatOf = (description: string) =>
  s
    .object({ contentType: text("Format: application/json, application/xml or application/yaml.") }, { description })
    .optional();

/** Formats that bodies are brought to. */
export const routeEncoding = s
  .object(
    {
      request: formatOf("What backends get."),
      response: formatOf("What clients get, unless they ask for another."),
    },
    { description: "Formats of bodies." },
  )
  .optional();

const packed = (description: string) =>
  s
    .object(
      {
        contentType: text("Format of the body."),
        compression: s
          .string({ description: "How it is compressed.", enum: ["gzip", "deflate", "br", "none"] })
          .optional(),
      },
      { description },
    )
    .optional();

/** What a backend reads and writes. */
export const backendEncoding = s
  .object(
    { request: packed("What the backend reads."), response: packed("What it writes.") },
    { description: "What the backend reads and writes." },
  )
  .optional();

/** Compression of answers. An addition of ours. */
export const compression = s
  .object(
    {
      enabled: enabled("Whether answers are compressed."),
      algorithms: s
        .array(s.string({ enum: ["gzip", "br", "zstd", "deflate"] }), {
          description: "What clients are offered, best first. Default: zstd, br, gzip, deflate.",
          maxItems: 4,
          listType: "set",
        })
        .optional(),
      minSize: count("Bytes from which on it is worth it. Default: 1024.", 0),
      contentTypes: texts("Formats that are compressed: text/*, application/json. Default: those that gain by it."),
    },
    { description: "Compresses answers for clients that understand it. Not known to gateways of AVAPIGW." },
  )
  .optional();
