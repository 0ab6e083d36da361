import type { Topic } from "../case.ts";
import { TABLE, read } from "../steps.ts";

const AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
const about = (path: string, extra = {}, name = path) => ({ name, steps: [read(path, extra)] });

export const topic: Topic = {
  cases: [
    about("/api"),
    about("/api/v1/"),
    about("/apis/apps"),
    about("/apis/apps/v1"),
    about("/apis/batch/v1"),
    about("/apis/autoscaling"),
    about("/apis/autoscaling/v1"),
    about("/apis/autoscaling/v2"),
    about("/apis/networking.k8s.io/v1"),
    about("/apis/policy/v1"),
    about("/apis/rbac.authorization.k8s.io/v1"),
    about("/apis/authorization.k8s.io/v1"),
    about("/apis/authentication.k8s.io/v1"),
    about("/apis/apiextensions.k8s.io/v1"),
    about("/apis/admissionregistration.k8s.io/v1"),
    about("/apis/coordination.k8s.io/v1"),
    about("/apis/discovery.k8s.io/v1"),
    about("/apis/events.k8s.io/v1"),
    about("/apis/scheduling.k8s.io/v1"),
    about("/apis/storage.k8s.io/v1"),
    about("/apis/apps/v2"),
    about("/apis/nope.example.com"),
    about("/apis/nope.example.com/v1"),
    about("/apis/apps/", {}, "a group with a slash"),
    about("/apis/apps/v1", { accept: "application/yaml" }, "as YAML"),
    about("/apis/apps/v1", { accept: TABLE }, "as a Table"),
    about("/apis/apps/v1", { accept: "text/html" }, "as HTML"),
    about("/api", { accept: AGGREGATED.replace("v2", "v1") }, "aggregated in a version that is none"),
    about("/healthz"),
    about("/livez"),
    about("/readyz"),
    about("/livez/ping"),
    about("/readyz/ping"),
    about("/readyz/nope"),
    about("/healthz?exclude=ping", {}, "health without a check"),
    about("/openapi/v3/apis/nope/v1"),
    about("/.well-known/openid-configuration", {}, "the issuer of tokens"),
    { name: "a POST to discovery", steps: [{ method: "POST", path: "/apis/apps", body: {} }] },
    { name: "a DELETE of a version", steps: [{ method: "DELETE", path: "/apis/apps/v1" }] },
  ],
};
