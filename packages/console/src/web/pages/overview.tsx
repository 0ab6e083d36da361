import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { KubeObject } from "../model/kube.ts";
import { lanesOf } from "../model/lanes.ts";
import type { Lane, LaneNode } from "../model/lanes.ts";
import { STATES, STATE_WORDS } from "../model/state.ts";
import type { State } from "../model/state.ts";
import { Age } from "../parts/clock.tsx";
import { Command } from "../parts/command.tsx";
import { Icon, StateIcon } from "../parts/icons.tsx";
import { useSubjectHref } from "../parts/object-link.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { StandingNotes } from "../parts/standing-notes.tsx";
import { StateBadge } from "../parts/state-badge.tsx";
import { useAnswer } from "../parts/use-answer.ts";
import type { WhyAnswer } from "../parts/why-chain.tsx";
import { href } from "../state/location.ts";
import type { KnownKind, Shown } from "../state/live.ts";
import { kindOfObject, objectsOf, standing, useKind, useKinds, useSession, withoutPool } from "../state/session.ts";
import {
  APPLICATIONS,
  AWS_KINDS,
  CONNECTED,
  GATEWAY_ROUTES,
  GATEWAYS,
  HOSTNAMES,
  INGRESSES,
  OWN_ROUTES,
} from "./kinds-shown.ts";

const ROUTES = [...GATEWAY_ROUTES, ...OWN_ROUTES, INGRESSES];
const ALL = [APPLICATIONS, HOSTNAMES, ...ROUTES, ...AWS_KINDS, GATEWAYS, CONNECTED];

/** Everything at a glance: what needs somebody first, then every way from an application to its users. */
export function OverviewPage(): JSX.Element {
  const applications = useKind(APPLICATIONS);
  const hostnames = useKind(HOSTNAMES);
  const gateways = useKind(GATEWAYS);
  const connected = useKind(CONNECTED);
  const routes = useKinds(ROUTES).map(withoutPool);
  const aws = useKinds(AWS_KINDS);
  const groups = [
    { title: "Applications", to: "applications", known: [applications] },
    { title: "Hostnames", to: "hostnames", known: [hostnames] },
    { title: "Routes", to: "routes", known: routes },
    { title: "AWS resources", to: "aws", known: aws },
    { title: "Gateways", to: "gateways", known: [gateways, connected] },
  ];
  const trouble = groups.flatMap(({ known }) => known.flatMap(troubled)).toSorted(byState);
  const states = new Map<KubeObject, State>();
  for (const { known } of groups) {
    for (const each of known)
      for (const shown of each.objects.values()) states.set(shown.object, standing(shown).state);
  }
  const lanes = lanesOf({
    applications: objectsOf(applications),
    hostnames: objectsOf(hostnames),
    routes: routes.slice(0, GATEWAY_ROUTES.length).flatMap(objectsOf),
    ownRoutes: routes.slice(GATEWAY_ROUTES.length, GATEWAY_ROUTES.length + OWN_ROUTES.length).flatMap(objectsOf),
    gateways: objectsOf(gateways),
    stateOf: (object) => states.get(object) ?? "ok",
  });
  const isEmpty = groups.every(({ known }) => known.every(({ objects }) => objects.size === 0));
  return (
    <>
      <PageHead
        title="Overview"
        about="What needs somebody first, and every way from an application to those who ask for it."
      />
      <div class="stack">
        <StandingNotes ids={ALL} />
        <div class="tiles">
          {groups.map((group) => (
            <Tile key={group.title} {...group} />
          ))}
        </div>
        <Trouble rows={trouble} isEmpty={isEmpty} />
        {lanes.length > 0 && <Lanes lanes={lanes} />}
      </div>
    </>
  );
}

function troubled(known: KnownKind): readonly (Shown & ReturnType<typeof standing>)[] {
  return [...known.objects.values()]
    .map((shown) => ({ ...shown, ...standing(shown) }))
    .filter(({ state }) => state !== "ok");
}

function byState(a: { readonly state: State }, b: { readonly state: State }): number {
  return STATES.indexOf(a.state) - STATES.indexOf(b.state);
}

function Tile({
  title,
  to,
  known,
}: {
  readonly title: string;
  readonly to: string;
  readonly known: readonly KnownKind[];
}): JSX.Element {
  const counts = new Map<State, number>();
  for (const { objects } of known) {
    for (const shown of objects.values()) {
      const { state } = standing(shown);
      counts.set(state, (counts.get(state) ?? 0) + 1);
    }
  }
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const told = STATES.filter((state) => counts.has(state));
  return (
    <a class="tile" href={href(to)}>
      <span class="label">{title}</span>
      <span class="number">
        {counts.get("ok") ?? 0}
        <small> of {total} ready</small>
      </span>
      <span class="split" aria-hidden="true">
        {told.toReversed().map((state) => (
          <i key={state} class={`is-${state}`} style={{ flexGrow: counts.get(state) ?? 0 }} />
        ))}
      </span>
      <span class="hidden">{told.map((state) => `${counts.get(state)} ${STATE_WORDS[state]}`).join(", ")}</span>
    </a>
  );
}

function Trouble({
  rows,
  isEmpty,
}: {
  readonly rows: readonly (Shown & ReturnType<typeof standing>)[];
  readonly isEmpty: boolean;
}): JSX.Element {
  const broken = rows.filter(({ state }) => state === "broken").length;
  useEffect(() => {
    document.title = broken === 0 ? "Overview · Gatewright" : `(${broken}) Overview · Gatewright`;
  }, [broken]);
  if (rows.length === 0) {
    return (
      <div class={`verdict is-${isEmpty ? "waiting" : "ok"}`} role="status">
        {isEmpty ? <Icon name="info" size={20} /> : <StateIcon state="ok" size={20} />}
        <div>
          <strong>{isEmpty ? "There is nothing yet." : "Everything is ready."}</strong>
          {isEmpty && (
            <p class="soft">
              Begin with an <a href={href("new", APPLICATIONS)}>application</a> or a{" "}
              <a href={href("new", HOSTNAMES)}>hostname</a>, or <code>kubectl apply -f examples/hostname.yaml</code>.
            </p>
          )}
        </div>
      </div>
    );
  }
  return (
    <section class="card" aria-labelledby="trouble-title">
      <header>
        <h2 id="trouble-title">Needs attention</h2>
        <span class="faint" role="status">
          {STATES.filter((state) => state !== "ok")
            .map(
              (state) => [rows.filter((row) => row.state === state).length, STATE_WORDS[state].toLowerCase()] as const,
            )
            .filter(([count]) => count > 0)
            .map(([count, word]) => `${count} ${word}`)
            .join(", ")}
        </span>
      </header>
      <ul class="trouble">
        {rows.map((row, index) => (
          <TroubleRow
            key={row.object.metadata.uid ?? index}
            {...row}
            advised={index < ADVISED && row.state === "broken"}
          />
        ))}
      </ul>
    </section>
  );
}

/** What to do is asked for the first few: nobody does more at once. */
const ADVISED = 3;

type TroubleRowProps = Shown & ReturnType<typeof standing> & { readonly advised: boolean };

function TroubleRow({ object, row, state, reason, message, advised }: TroubleRowProps): JSX.Element {
  const session = useSession();
  const address = useSubjectHref();
  const { apiVersion, kind } = object;
  const { namespace, name, creationTimestamp } = object.metadata;
  const id = kindOfObject(session, apiVersion, kind)?.id ?? "";
  const query = new URLSearchParams({ kind: id, name, ...(namespace !== undefined && { namespace }) });
  const { value: answer } = useAnswer<WhyAnswer>(advised ? `/console/api/why?${query}` : undefined);
  const [step] = answer?.next ?? [];
  return (
    <li class={`is-${state}`}>
      <StateBadge state={state} />
      <div>
        <a class="name" href={address({ apiVersion, kind, name, ...(namespace !== undefined && { namespace }) }) ?? ""}>
          {kind} {namespace === undefined ? name : `${namespace}/${name}`}
        </a>{" "}
        {reason !== "" && <span class="tag mono">{reason}</span>}
      </div>
      <Age since={row?.since ?? creationTimestamp} />
      {message !== "" && <div class="why">{message}</div>}
      {step !== undefined && (
        <div class="do">
          <span>
            <b>Next:</b> {step.text}
          </span>
          {step.command !== undefined && <Command text={step.command} />}
        </div>
      )}
    </li>
  );
}

function Lanes({ lanes }: { readonly lanes: readonly Lane[] }): JSX.Element {
  return (
    <section class="card" aria-labelledby="lanes-title">
      <header>
        <h2 id="lanes-title">From application to load balancer</h2>
      </header>
      <div class="lanes" tabIndex={0} role="group" aria-labelledby="lanes-title">
        <div class="lane-head" aria-hidden="true">
          <span>Application</span>
          <span>Route</span>
          <span>Hostname</span>
          <span>Load balancer</span>
        </div>
        {lanes.map(({ id, nodes }) => (
          <div key={id} class="lane">
            {nodes.map((node, index) => (
              <NodeBox key={index} node={node} />
            ))}
          </div>
        ))}
      </div>
    </section>
  );
}

function NodeBox({ node }: { readonly node: LaneNode }): JSX.Element {
  const address = useSubjectHref();
  if (node.type === "words") {
    return (
      <span class="node ghost" title={node.text}>
        <span class="what">{node.text}</span>
      </span>
    );
  }
  const { object, state, title, detail } = node;
  const { apiVersion, kind, metadata } = object;
  const { namespace, name } = metadata;
  return (
    <a
      class={`node is-${state}`}
      href={address({ apiVersion, kind, name, ...(namespace !== undefined && { namespace }) }) ?? ""}
      title={`${title} ${detail}`}
    >
      <StateIcon state={state} />
      <span class="what">
        {title}
        <span class="hidden">, {STATE_WORDS[state]}</span>
      </span>
      {detail !== "" && <span class="more">{detail}</span>}
    </a>
  );
}
