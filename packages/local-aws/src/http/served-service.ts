import { codecOf, loadModel } from "@gatewright/aws-wire";
import type { ProtocolCodec, ServiceModel } from "@gatewright/aws-wire";
import type { Dialect } from "../dialect/dialect.ts";
import { dialectOf } from "../dialect/dialect-of.ts";
import type { Service } from "../service.ts";

/** A service with all that it takes to speak to it. */
export interface ServedService {
  readonly service: Service;
  readonly model: ServiceModel;
  readonly codec: ProtocolCodec<ServiceModel>;
  readonly dialect: Dialect;
}

/** Services by name, ready to be served. */
export async function serveServices(services: readonly Service[]): Promise<readonly ServedService[]> {
  return Promise.all(
    services.map(async (service) => {
      const model = await loadModel(service.name);
      return { service, model, codec: codecOf(model), dialect: dialectOf(service.name) };
    }),
  );
}
