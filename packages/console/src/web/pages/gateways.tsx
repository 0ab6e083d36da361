import type { JSX } from "preact";
import { conditionOf, listAt, textAt } from "../model/kube.ts";
import type { KubeObject } from "../model/kube.ts";
import { Age } from "../parts/clock.tsx";
import { FillBar } from "../parts/fill-bar.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { StandingNotes } from "../parts/standing-notes.tsx";
import { StateBadge } from "../parts/state-badge.tsx";
import { useAnswer } from "../parts/use-answer.ts";
import { href } from "../state/location.ts";
import type { Shown } from "../state/live.ts";
import { standing, useKind } from "../state/session.ts";
import { CLAIMS, CONNECTED, GATEWAY_ROUTES, GATEWAYS } from "./kinds-shown.ts";

/** How full a load balancer of the pool is. */
interface PoolFill {
  readonly namespace: string;
  readonly name: string;
  readonly limits: readonly { readonly limit: string; readonly used: number; readonly most: number }[];
}

interface PoolAnswer {
  readonly gateways: readonly PoolFill[];
  /** What the counts leave out, since the user may not read it. */
  readonly unread: readonly string[];
}

/** The load balancers with what they carry, and the gateways that routes are delivered to. */
export function GatewaysPage(): JSX.Element {
  const gateways = useKind(GATEWAYS);
  const connected = useKind(CONNECTED);
  // Followed, so that the counts are asked for again when they change.
  useKind(CLAIMS);
  useKind(GATEWAY_ROUTES[0]);
  const { value: pool, problem } = useAnswer<PoolAnswer>("/console/api/pool");
  const fills = new Map(pool?.gateways.map((each) => [`${each.namespace}/${each.name}`, each]));
  return (
    <>
      <PageHead
        title="Gateways"
        about="Load balancers with what they carry, and the gateways that routes are delivered to."
      />
      <div class="stack">
        <StandingNotes ids={[GATEWAYS, CONNECTED]} />
        {problem !== undefined && <p class="faint">How full they are could not be found out: {problem}</p>}
        {(pool?.unread.length ?? 0) > 0 && (
          <p class="faint">Not counted, since you may not read them: {pool?.unread.join(", ")}.</p>
        )}
        <h2>Load balancers</h2>
        {gateways.objects.size === 0 && <div class="card empty">No Gateway yet: the first hostname makes one.</div>}
        <div class="pool">
          {Array.from(gateways.objects, ([key, shown]) => (
            <GatewayCard key={key} shown={shown} fill={fills.get(key)} />
          ))}
        </div>
        <h2>Connected gateways</h2>
        {connected.objects.size === 0 ? (
          <div class="card empty">No gateway is connected.</div>
        ) : (
          <ConnectedTable rows={[...connected.objects.values()]} />
        )}
      </div>
    </>
  );
}

const LIMIT_WORDS: Readonly<Record<string, string>> = {
  certificates: "Certificates",
  rules: "Rules",
  targetGroups: "Target groups",
  hostnames: "Listeners",
};

function GatewayCard({ shown, fill }: { readonly shown: Shown; readonly fill: PoolFill | undefined }): JSX.Element {
  const { object } = shown;
  const { namespace = "", name, annotations = {} } = object.metadata;
  const { state, reason, message } = standing(shown);
  const address = textAt(object.status, "addresses", 0, "value");
  return (
    <article class="card">
      <header>
        <h3>
          <a href={href("object", GATEWAYS, namespace, name)}>{name}</a> <span class="faint">{namespace}</span>
        </h3>
        <span class="end">
          <StateBadge state={state} />
        </span>
      </header>
      <div class="body stack">
        <dl class="facts">
          <dt>Address</dt>
          <dd class="mono">{address || "none yet"}</dd>
          <dt>Listeners</dt>
          <dd>{listenerText(object)}</dd>
          {annotations["gateway.opendi.com/draining"] === "true" && (
            <>
              <dt>Draining</dt>
              <dd>keeps what it has and gets no more</dd>
            </>
          )}
          {state !== "ok" && (
            <>
              <dt>Why</dt>
              <dd>{message || reason}</dd>
            </>
          )}
        </dl>
        {fill === undefined ? (
          <p class="faint">Not of the pool: nobody counts what it carries.</p>
        ) : (
          <div class="bars">
            {fill.limits.map(({ limit, used, most }) => (
              <FillBar key={limit} label={LIMIT_WORDS[limit] ?? limit} used={used} most={most} />
            ))}
          </div>
        )}
      </div>
    </article>
  );
}

function listenerText(gateway: KubeObject): string {
  const listeners = listAt(gateway.spec, "listeners").length;
  const programmed = conditionOf(gateway, "Programmed");
  return `${listeners}${programmed?.status === "True" ? ", programmed" : ""}`;
}

function ConnectedTable({ rows }: { readonly rows: readonly Shown[] }): JSX.Element {
  return (
    <div class="card table-scroll">
      <table>
        <caption class="hidden">Gateways that are connected</caption>
        <thead>
          <tr>
            <th scope="col">State</th>
            <th scope="col">Gateway</th>
            <th scope="col">Speaks</th>
            <th scope="col">Behind</th>
            <th scope="col">Refused</th>
            <th scope="col">Configuration</th>
            <th scope="col">Connected</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((shown) => {
            const { object } = shown;
            const { namespace = "-", name } = object.metadata;
            return (
              <tr key={`${namespace}/${name}`}>
                <td>
                  <StateBadge state={standing(shown).state} />
                </td>
                <td>
                  <a class="name" href={href("object", CONNECTED, namespace, name)}>
                    {textAt(object.spec, "gateway", "name")}
                  </a>
                  <div class="faint">{textAt(object.spec, "gateway", "podName")}</div>
                </td>
                <td>
                  {textAt(object.spec, "gateway", "dialect")}{" "}
                  <span class="faint">{textAt(object.spec, "gateway", "version")}</span>
                </td>
                <td>{textAt(object.spec, "behind")}</td>
                <td>
                  {textAt(object.spec, "refused")}
                  {listAt(object.spec, "refusals").map((refusal) => (
                    <div key={textAt(refusal, "object")} class="why">
                      {textAt(refusal, "object")}: {textAt(refusal, "field")}: {textAt(refusal, "message")}
                    </div>
                  ))}
                </td>
                <td class="mono faint" title={textAt(object.spec, "configuration")}>
                  {textAt(object.spec, "configuration").slice(0, 12)}
                </td>
                <td>
                  <Age since={textAt(object.spec, "connectedAt")} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
