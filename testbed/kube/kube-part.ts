import type { Part } from "../part.ts";
import { upKube } from "./up-kube.ts";
import { CURRENT_KUBERNETES } from "./versions.ts";

/** A control plane of one version as a part; the current one is just called `kube`. */
export function kubePart(version: string): Part {
  return {
    name: version === CURRENT_KUBERNETES ? "kube" : `kube-${version}`,
    about: `etcd, kube-apiserver, kube-controller-manager ${version} and a stand-in node`,
    async start(folder, options) {
      const kube = await upKube({ ...options, version, folder });
      const { url, kubeconfig, processes } = kube;
      return { version, processes, facts: { url, KUBECONFIG: kubeconfig } };
    },
  };
}
