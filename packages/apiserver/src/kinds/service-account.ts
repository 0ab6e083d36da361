import type { KubeObject } from "@gatewright/kube";
import { structs, text } from "../resources/object-fields.ts";
import type { ActionSubresource, Resource } from "../resources/resource.ts";
import { builtIn } from "./built-in.ts";
import { age, columns } from "./columns.ts";

/** References to secrets keep their names only. */
function cleanSecrets(object: KubeObject): void {
  const secrets = structs(object, "secrets");
  if (secrets.length > 0) object["secrets"] = secrets.map((secret) => ({ name: text(secret, "name") }));
}

/** ServiceAccounts; `token` answers TokenRequests. */
export function serviceAccounts(token: ActionSubresource | undefined): Resource {
  return builtIn({
    group: "",
    kind: "ServiceAccount",
    resource: "serviceaccounts",
    namespaced: true,
    shortNames: ["sa"],
    versions: [
      {
        version: "v1",
        columns: columns(["Name", "Age"], (object, now) => [object.metadata.name ?? "", age(object, now)]),
        ...(token && { subresources: { token } }),
      },
    ],
    strategy: { returnsDeletedObject: true, prepareForCreate: cleanSecrets, prepareForUpdate: cleanSecrets },
  });
}
