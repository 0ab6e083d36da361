import { StatusError } from "@gatewright/kube";
import type { ConnectSubresource } from "../resources/resource.ts";

/** `pods/exec` and `pods/attach`: always refused, with the reason. */
export function noEntry(name: "attach" | "exec"): ConnectSubresource {
  const kind = name === "exec" ? "PodExecOptions" : "PodAttachOptions";
  return {
    type: "connect",
    kind: { group: "", version: "v1", kind },
    verbs: [],
    takesPath: false,
    async connect() {
      const message = `${name} is not supported: containers here have no terminal to connect to; see their logs`;
      throw new StatusError({ code: 501, reason: "NotImplemented", message });
    },
  };
}
