import { join } from "node:path";
import { createApiServer } from "@gatewright/apiserver";
import type { UserInfo } from "@gatewright/apiserver";
import { rbac } from "@gatewright/kube/api";
import { systemClock, systemRandom } from "@gatewright/ports";
import { crdOf } from "@gatewright/kube/define/manifests";
import { apiextensions, core } from "@gatewright/kube/api";
import { APIRoute, DomainClaim, Gateway, GatewayHostnameRequest, HTTPRoute } from "@gatewright/resources";
import { createClient } from "@gatewright/runtime";
import { consolePaths } from "../console-paths.ts";
import { createConsole } from "../console.ts";

export const ROOT = join(import.meta.dirname, "..", "..", "..", "..");

const KINDS = [APIRoute, DomainClaim, Gateway, GatewayHostnameRequest, HTTPRoute];
/** Who may do what they are granted, and nothing else. */
const ALICE: UserInfo = { username: "alice", groups: [] };
const TOKENS = [
  { token: "root-token", user: { username: "root", groups: ["system:masters"] } },
  { token: "alice-token", user: ALICE },
];

/** An API server with the console, whose callers have to say who they are, unless `access` is `loopback`. */
export async function consoleWorld(access: "required" | "loopback" = "required") {
  const faults: unknown[] = [];
  const console = createConsole({
    clock: systemClock,
    random: systemRandom,
    root: ROOT,
    ingress: { className: "avapigw", isDefault: false },
    fault: (error) => faults.push(error),
  });
  const server = await createApiServer({
    access,
    ...(access === "required" && { tokens: TOKENS }),
    paths: { served: consolePaths(console, (caller) => server.transport(caller)), home: "/console/" },
  });
  const listener = await server.listen({ host: "127.0.0.1", port: 0 });
  const admin = createClient(server.transport(), { fieldManager: "test" });
  for (const kind of KINDS) {
    await admin.for(apiextensions.CustomResourceDefinition).create(crdOf(kind));
  }
  await server.idle();
  await admin.for(core.Namespace).create({ metadata: { name: "shop" } });

  return {
    server,
    admin,
    faults,
    url: listener.url,
    /** Asks as the owner of a token. */
    ask: (path: string, token?: string, init: RequestInit = {}): Promise<Response> =>
      fetch(listener.url + path, {
        ...init,
        headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...init.headers },
      }),
    /** Lets alice do something in a namespace. */
    async grant(
      namespace: string,
      name: string,
      rule: { apiGroups: string[]; resources: string[]; verbs: string[] },
    ): Promise<void> {
      await admin.for(rbac.Role).create({ metadata: { namespace, name }, rules: [rule] });
      await admin.for(rbac.RoleBinding).create({
        metadata: { namespace, name },
        roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name },
        subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: ALICE.username }],
      });
    },
    async [Symbol.asyncDispose]() {
      await listener.close();
      await server.close();
    },
  };
}

export interface StreamEvent {
  readonly event: string;
  readonly data: { readonly kind: string; readonly [field: string]: unknown };
}

/** The events of a stream, one by one. */
export async function* streamEvents(answer: Response): AsyncGenerator<StreamEvent> {
  let rest = "";
  for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
    const parts = (rest + chunk).split("\n\n");
    rest = parts.pop() ?? "";
    for (const part of parts) {
      const [, event = ""] = /^event: (.*)$/m.exec(part) ?? [];
      const [, data] = /^data: (.*)$/m.exec(part) ?? [];
      if (data !== undefined) yield { event, data: JSON.parse(data) as StreamEvent["data"] };
    }
  }
}
