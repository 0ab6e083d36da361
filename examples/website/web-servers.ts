import type { Immutable } from "@gatewright/kube";
import type { apps, core } from "@gatewright/kube/api";
import type { Applied } from "@gatewright/runtime";
import type { Website } from "./website.ts";

/** The ConfigMap that holds the page. */
export function page({ metadata: { name = "" }, spec }: Immutable<Website>): Applied<core.ConfigMap> {
  return { metadata: { name }, data: { "index.html": spec.page } };
}

/** The Deployment that serves it. */
export function webServers({ metadata: { name = "" }, spec }: Immutable<Website>): Applied<apps.Deployment> {
  const labels = { website: name };
  return {
    metadata: { name },
    spec: {
      replicas: spec.replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [
            {
              name: "web",
              image: "nginx:1.29",
              volumeMounts: [{ name: "page", mountPath: "/usr/share/nginx/html" }],
            },
          ],
          volumes: [{ name: "page", configMap: { name } }],
        },
      },
    },
  };
}
