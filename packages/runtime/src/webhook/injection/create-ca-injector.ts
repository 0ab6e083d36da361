import type { ApiObject, Immutable } from "@gatewright/kube";
import { sleep } from "@gatewright/ports";
import type { Clock } from "@gatewright/ports";
import type { Client } from "../../client/client.ts";
import { isNotFound } from "../../client/error-kinds.ts";
import type { HealthCheck, Runnable } from "../../manager/manager.ts";
import type { Log } from "@gatewright/telemetry";
import type { CertificateSource } from "../certificate/certificate-source.ts";
import { injection } from "./injection-target.ts";
import type { InjectionTarget } from "./injection-target.ts";

export interface CaInjectorOptions {
  readonly targets: readonly InjectionTarget[];
  readonly certificates: CertificateSource;
  /** Must not be held back by the lease: the bundle is the same whoever writes it. Needs get, watch and patch on the targets. */
  readonly client: Client;
  readonly clock: Clock;
  readonly log: Log;
}

/** Keeps the bundle of trusted authorities in the objects that API servers read it from. */
export interface CaInjector extends Runnable {
  /** Ready when every target was last seen with the bundle that is in use now: a server that is away takes nothing back. */
  readonly check: HealthCheck;
}

const FIRST_PAUSE_MS = 1000;
/** A server that is back is not kept waiting. */
const LONGEST_PAUSE_MS = 5_000;
const LONGEST_REST_MS = 60_000;
const WATCH_SECONDS = 300;

/**
 * Writes the bundle of a certificate source into webhook configurations and CRDs: only where it is not there yet, whenever it
 * changes, and again when somebody takes it out. Tells the source when every target has it. A source without a bundle is left to
 * whoever tells callers of it, and nothing is written.
 */
export function createCaInjector({ targets, certificates, client, clock, log }: CaInjectorOptions): CaInjector {
  /** The bundle that a target was last seen with, and why it could not be put in or looked at since. */
  const seen = new Map<InjectionTarget, { readonly bundle?: string; readonly problem?: string }>();

  function saw(target: InjectionTarget, bundle: string): void {
    seen.set(target, { bundle });
    if (targets.every((each) => seen.get(each)?.bundle === bundle)) certificates.confirm(bundle);
  }

  /** Puts the bundle in and stays until the target lacks it again, the watch ends, or the bundle is another one. */
  async function tend(target: InjectionTarget, bundle: string, signal: AbortSignal): Promise<void> {
    const objects = client.for(target.resource);
    const caBundle = Buffer.from(bundle).toString("base64");
    let object: Immutable<ApiObject> = await objects.get({ name: target.name }, { signal });
    const patch = injection(target, object, caBundle);
    if (patch.length > 0) {
      try {
        object = await objects.patch({ name: target.name }, { json: patch }, { signal });
      } catch (error) {
        seen.delete(target); // it was seen without the bundle, and may stay so
        throw error;
      }
      log.info("The authorities of the webhook server were injected", {
        kind: target.resource.kind,
        name: target.name,
      });
    }
    saw(target, bundle);
    const { resourceVersion } = object.metadata;
    const changes = objects.watch({
      fieldSelector: `metadata.name=${target.name}`,
      timeoutSeconds: WATCH_SECONDS,
      signal,
      ...(resourceVersion !== undefined && { resourceVersion }),
    });
    for await (const change of changes) {
      if (change.type === "DELETED") {
        seen.delete(target);
        throw new Error("it was deleted");
      }
      if (change.type !== "BOOKMARK" && injection(target, change.object, caBundle).length > 0) return;
    }
  }

  async function keep(target: InjectionTarget, signal: AbortSignal): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS;
    let restMs = 0;
    while (!signal.aborted) {
      const begun = clock.monotonic();
      using news = untilChanged(certificates, signal);
      const bundle = certificates.bundle();
      try {
        if (bundle === undefined) await sleep(clock, LONGEST_REST_MS, news.signal);
        else await tend(target, bundle, news.signal);
        pauseMs = FIRST_PAUSE_MS;
        // Somebody who takes the bundle out again and again is not answered at the speed of the network.
        restMs =
          clock.monotonic() - begun > LONGEST_REST_MS ? 0 : Math.min(2 * restMs || FIRST_PAUSE_MS, LONGEST_REST_MS);
        if (restMs > FIRST_PAUSE_MS) await sleep(clock, restMs, news.signal);
      } catch (error) {
        if (news.signal.aborted) continue;
        const problem = error instanceof Error ? error.message : String(error);
        // A call that merely failed says nothing of the target: callers that trusted us still do.
        seen.set(target, { ...(!isNotFound(error) && seen.get(target)), problem });
        log.warn("The authorities of the webhook server could not be injected", { name: target.name, error, pauseMs });
        await sleep(clock, pauseMs, signal).catch(() => {}); // aborted: the loop sees it
        pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
      }
    }
  }

  function problem(): string | undefined {
    const bundle = certificates.bundle();
    if (bundle === undefined) return undefined;
    const lacking = targets.filter((target) => seen.get(target)?.bundle !== bundle);
    if (lacking.length === 0) return undefined;
    const told = lacking.map((target) => `${target.name}: ${seen.get(target)?.problem ?? "not looked at yet"}`);
    return `the caBundle is not injected (${told.join("; ")})`;
  }

  return {
    name: "webhook-ca-injector",
    when: "always",
    check: { name: "webhook-ca-bundle", for: "ready", problem },
    async run(signal) {
      await Promise.all(targets.map((target) => keep(target, signal)));
    },
  };
}

/** A signal that aborts when the source has news, or with its parent. */
function untilChanged(
  certificates: CertificateSource,
  parent: AbortSignal,
): Disposable & { readonly signal: AbortSignal } {
  const controller = new AbortController();
  const end = (): void => controller.abort(new Error("the certificates have changed"));
  const unsubscribe = certificates.subscribe(end);
  parent.addEventListener("abort", end, { once: true });
  if (parent.aborted) end();
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      unsubscribe();
      parent.removeEventListener("abort", end);
    },
  };
}
