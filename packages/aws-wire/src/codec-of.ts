import type { ServiceModel } from "./model.ts";
import { jsonProtocol } from "./protocol/json-protocol.ts";
import { queryProtocol } from "./protocol/query-protocol.ts";
import { restXmlProtocol } from "./protocol/rest-xml-protocol.ts";
import type { ProtocolCodec } from "./wire.ts";

/** How a service is spoken to. */
export function codecOf({ protocol }: ServiceModel): ProtocolCodec<ServiceModel> {
  switch (protocol) {
    case "json":
      return jsonProtocol;
    case "query":
    case "ec2":
      return queryProtocol;
    case "rest-xml":
      return restXmlProtocol;
  }
}
