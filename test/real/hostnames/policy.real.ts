import { after, before } from "node:test";
import type { ResourceDefinition } from "@gatewright/kube/define";
import { apiextensions } from "@gatewright/kube/api";
import { crdOf } from "@gatewright/kube/define/manifests";
import { DomainClaim, GatewayHostnameRequest, HTTPRoute, HostnameGrant } from "@gatewright/resources";
import { createClient, loadTransport } from "@gatewright/runtime";
import { POLICY_SETTINGS, actorsOf, anyKind, clearStage, setStage } from "../../hostnames/hijack-world.ts";
import type { Actors } from "../../hostnames/hijack-world.ts";
import { tellStories } from "../../hostnames/tell-stories.ts";
import { suite } from "../../tools/suite.ts";
import { eventually } from "../eventually.ts";
import { realKube } from "../kube.ts";
import { installOthersKinds } from "../others-kinds.ts";

const kube = realKube();
const KINDS: readonly ResourceDefinition[] = [DomainClaim, GatewayHostnameRequest, HostnameGrant];

suite("hostnames of others, on a real API server", "missing" in kube ? kube.missing : false, () => {
  if ("missing" in kube) return;
  let actors: Actors;
  let close = (): void => {};

  before(async () => {
    const { transport } = await loadTransport({ kubeconfig: kube.kubeconfig });
    close = () => transport.close();
    const admin = createClient(transport);
    actors = actorsOf(admin);
    await installOthersKinds(admin);
    // Other suites may have brought them: they stay.
    for (const kind of KINDS) await admin.for(apiextensions.CustomResourceDefinition).apply(crdOf(kind));
    const served = async (): Promise<boolean> =>
      (
        await Promise.all(
          KINDS.map((kind) =>
            admin
              .for(kind)
              .list()
              .then(
                () => true,
                () => false,
              ),
          ),
        )
      ).every(Boolean);
    await eventually("our kinds are served", served, (all) => all);
    await setStage(actors);
    const answer = (namespace: string): Promise<string> =>
      actors.tenant
        .for(anyKind(HTTPRoute))
        .create(
          {
            metadata: { name: "probe", namespace },
            spec: {
              parentRefs: [{ name: "gw-01", namespace: POLICY_SETTINGS.edgeNamespace }],
              hostnames: ["shop.example.com"],
            },
          },
          { dryRun: true },
        )
        .then(() => "taken", String);
    const inForce = async (): Promise<string[]> =>
      Promise.all(["hijack-none", "hijack-forged", "hijack-shop"].map(answer));
    await eventually(
      "the policies are in force",
      inForce,
      ([none = "", forged = "", shop]) =>
        none.includes("is not granted") && forged.includes("no params found") && shop === "taken",
    );
  });

  after(async () => {
    await clearStage(actors);
    close();
  });

  tellStories(() => actors);
});
