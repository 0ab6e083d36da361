import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { conditionsOf, listAt, textAt } from "../model/kube.ts";
import type { Condition, KubeObject, ShownKind } from "../model/kube.ts";
import type { State } from "../model/state.ts";
import { eventRows } from "../model/event-row.ts";
import { Age } from "../parts/clock.tsx";
import { Command } from "../parts/command.tsx";
import { DeleteButton } from "../parts/delete-dialog.tsx";
import { EventList } from "../parts/event-list.tsx";
import { StateIcon } from "../parts/icons.tsx";
import { Note } from "../parts/note.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { StateBadge } from "../parts/state-badge.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { useAnswer } from "../parts/use-answer.ts";
import { Verdict, WhyChain } from "../parts/why-chain.tsx";
import type { WhyAnswer } from "../parts/why-chain.tsx";
import { YamlEditor } from "../parts/yaml-editor.tsx";
import { kindById, objectsOf, standing, useKind, useSession } from "../state/session.ts";
import { EVENTS, HOSTNAMES } from "./kinds-shown.ts";

export interface ObjectPageProps {
  readonly id: string;
  /** `-` for kinds without namespaces. */
  readonly namespace: string;
  readonly name: string;
}

type Tab = "why" | "yaml" | "events";

/** One object: how it is and why, all of it as YAML, and what happened to it. */
export function ObjectPage({ id, namespace, name }: ObjectPageProps): JSX.Element {
  const session = useSession();
  const kind = kindById(session, id);
  if (kind === undefined) return <Note state="broken">The console shows no kind {id}.</Note>;
  return <KnownObject key={`${id} ${namespace} ${name}`} kind={kind} namespace={namespace} name={name} />;
}

function KnownObject({
  kind,
  namespace,
  name,
}: {
  readonly kind: ShownKind;
  readonly namespace: string;
  readonly name: string;
}): JSX.Element {
  const [tab, setTab] = useState<Tab>("why");
  const known = useKind(kind.id);
  const shown = known.objects.get(kind.namespaced ? `${namespace}/${name}` : name);
  const query = new URLSearchParams({ kind: kind.id, name, ...(kind.namespaced && { namespace }) });
  const { value: answer, problem } = useAnswer<WhyAnswer>(kind.id === EVENTS ? undefined : `/console/api/why?${query}`);
  const crumbs = (
    <>
      <span>{kind.kind}</span>
      {kind.namespaced && (
        <>
          <span aria-hidden="true">/</span>
          <span>{namespace}</span>
        </>
      )}
    </>
  );
  if (shown === undefined) {
    return (
      <>
        <PageHead title={name} crumbs={crumbs} />
        {known.standing === "loading" ? (
          <p class="faint">Loading…</p>
        ) : known.standing === "forbidden" ? (
          <Note state="unknown">You may not read it: {known.message}</Note>
        ) : (
          <Note state="broken">There is no such {kind.kind}, or not any more.</Note>
        )}
        {answer !== undefined && known.standing !== "loading" && <Verdict answer={answer} />}
      </>
    );
  }
  const { object } = shown;
  return (
    <>
      <PageHead
        title={kind.id === HOSTNAMES ? textAt(object.spec, "hostname") || name : name}
        crumbs={crumbs}
        about={
          <span class="row">
            <StateBadge state={answer?.state ?? standing(shown).state} />
            <span class="faint">
              made <Age since={object.metadata.creationTimestamp} /> ago
            </span>
          </span>
        }
      >
        <DeleteButton kind={kind} object={object} />
      </PageHead>
      <Tabs<Tab>
        label={`${kind.kind} ${name}`}
        tabs={[
          ["why", kind.id === HOSTNAMES ? "Timeline" : "Why"],
          ["yaml", "YAML"],
          ["events", "Events"],
        ]}
        chosen={tab}
        choose={(next) => setTab(next)}
      >
        {tab === "why" && <WhyTab kind={kind} object={object} answer={answer} problem={problem} />}
        {tab === "yaml" && <YamlEditor kind={kind} object={object} />}
        {tab === "events" && <ObjectEvents object={object} />}
      </Tabs>
    </>
  );
}

interface WhyTabProps {
  readonly kind: ShownKind;
  readonly object: KubeObject;
  readonly answer: WhyAnswer | undefined;
  readonly problem: string | undefined;
}

function WhyTab({ kind, object, answer, problem }: WhyTabProps): JSX.Element {
  const { namespace, name, creationTimestamp } = object.metadata;
  const what = `${kind.kind.toLowerCase()}/${name}${namespace === undefined ? "" : ` -n ${namespace}`}`;
  return (
    <div class="columns">
      <div class="stack">
        {answer !== undefined && <Verdict answer={answer} />}
        {problem !== undefined && <Note state="warning">Why could not be found out: {problem}</Note>}
        {answer !== undefined && (
          <section class="card" aria-labelledby="chain-title">
            <header>
              <h2 id="chain-title">{kind.id === HOSTNAMES ? "From request to traffic" : "What it stands on"}</h2>
            </header>
            <WhyChain answer={answer} {...(creationTimestamp !== undefined && { begun: creationTimestamp })} />
          </section>
        )}
      </div>
      <div class="stack">
        <DriftCard object={object} />
        <section class="card">
          <header>
            <h2>Conditions</h2>
          </header>
          <Conditions object={object} />
        </section>
        <section class="card">
          <header>
            <h2>In a terminal</h2>
          </header>
          <div class="body stack">
            <Command text={`gatewright why ${what}`} />
            <Command text={`kubectl describe ${what}`} />
          </div>
        </section>
      </div>
    </div>
  );
}

function Conditions({ object }: { readonly object: KubeObject }): JSX.Element {
  const conditions = conditionsOf(object);
  if (conditions.length === 0) return <p class="empty">It has none.</p>;
  return (
    <ul class="conditions">
      {conditions.map((condition) => {
        const { type, status, reason = "", message = "", lastTransitionTime } = condition;
        const state = conditionState(condition);
        return (
          <li key={type} class={`is-${state}`}>
            <StateIcon state={state} />
            <div>
              <b>{type}</b> <span class="faint">{status}</span>{" "}
              {reason !== "" && <span class="tag mono">{reason}</span>}
            </div>
            <Age since={lastTransitionTime} />
            {message !== "" && <div class="why">{message}</div>}
          </li>
        );
      })}
    </ul>
  );
}

/** Conditions whose names say that something is wrong, when they are True. */
const COMPLAINTS = new Set(["Denied", "Stalled", "Degraded"]);

/** A picture for one condition by itself: whether it is bad, only the chain knows. */
function conditionState({ type, status }: Condition): State {
  if (status !== "True" && status !== "False") return "unknown";
  // Some kinds say it while something goes on, others while all is well.
  if (type === "Progressing") return "ok";
  if (COMPLAINTS.has(type)) return status === "True" ? "broken" : "ok";
  return status === "True" ? "ok" : "waiting";
}

/** Where AWS differs from what was asked for, and what would be destroyed by making it the same. */
function DriftCard({ object }: { readonly object: KubeObject }): JSX.Element | null {
  const drift = listAt(object.status, "drift");
  const planned = listAt(object.status, "plan", "changes");
  const action = textAt(object.status, "plan", "action");
  const hash = textAt(object.status, "plan", "hash");
  if (drift.length === 0 && action === "") return null;
  const { namespace, name } = object.metadata;
  const where = namespace === undefined ? "" : ` -n ${namespace}`;
  return (
    <section class="card">
      <header>
        <h2>{action === "" ? "Drift" : `${action} waits for approval`}</h2>
      </header>
      <div class="table-scroll">
        <table>
          <caption class="hidden">Fields that differ</caption>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">AWS has</th>
              <th scope="col">Asked for</th>
            </tr>
          </thead>
          <tbody>
            {[...drift, ...planned].map((change, index) => (
              <tr key={index}>
                <td class="mono">{textAt(change, "field")}</td>
                <td class="mono">{textAt(change, "have") || "—"}</td>
                <td class="mono">{textAt(change, "want") || "—"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {hash !== "" && (
        <div class="body">
          <Command
            text={`kubectl annotate ${object.kind.toLowerCase()} ${name}${where} aws-infra-operator.runner.codes/approve=${hash}`}
          />
        </div>
      )}
    </section>
  );
}

function ObjectEvents({ object }: { readonly object: KubeObject }): JSX.Element {
  const known = useKind(EVENTS);
  const { uid, name } = object.metadata;
  const about = objectsOf(known).filter((event) => {
    const regarding = (event as { readonly involvedObject?: unknown }).involvedObject;
    const said = textAt(regarding, "uid");
    return said === "" ? textAt(regarding, "name") === name && textAt(regarding, "kind") === object.kind : said === uid;
  });
  if (known.standing === "forbidden") return <Note state="unknown">You may not read events: {known.message}</Note>;
  if (about.length === 0) return <div class="card empty">Nothing was told of it lately.</div>;
  return <EventList rows={eventRows(about)} about={false} />;
}
