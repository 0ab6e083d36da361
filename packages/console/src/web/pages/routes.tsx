import type { JSX } from "preact";
import { listAt, textAt } from "../model/kube.ts";
import type { KubeObject } from "../model/kube.ts";
import { momentText } from "../model/time-text.ts";
import { Icon, StateIcon } from "../parts/icons.tsx";
import { MatchBox } from "../parts/match-box.tsx";
import { ObjectTable } from "../parts/object-table.tsx";
import type { Column } from "../parts/object-table.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { StandingNotes } from "../parts/standing-notes.tsx";
import { href } from "../state/location.ts";
import { kindById, objectsOf, useKind, useKinds, useSession, withoutPool } from "../state/session.ts";
import { CONNECTED, GATEWAY_ROUTES, INGRESSES, OWN_ROUTES } from "./kinds-shown.ts";

const IDS = [...OWN_ROUTES, ...GATEWAY_ROUTES, INGRESSES];

/** Routes with which gateway has them, and where a request would go. */
export function RoutesPage(): JSX.Element {
  const session = useSession();
  const known = useKinds(IDS);
  const connected = useKind(CONNECTED);
  const kinds = IDS.flatMap((id, index) => {
    const [kind, each] = [kindById(session, id), known[index]];
    return kind === undefined || each === undefined ? [] : [{ kind, known: withoutPool(each) }];
  });
  const columns: readonly Column[] = [
    { title: "For", of: ({ object }) => <span class="mono">{forText(object)}</span> },
    {
      title: "Acknowledged by",
      of: ({ object, row }) => (
        <Acknowledgements object={object} connected={objectsOf(connected)} words={row?.detail ?? ""} />
      ),
    },
  ];
  return (
    <>
      <PageHead title="Routes" about="Which requests go where, and which gateway has said that it does so.">
        <a class="button main-action" href={href("new", OWN_ROUTES[0])}>
          <Icon name="plus" size={14} /> APIRoute
        </a>
      </PageHead>
      <div class="stack">
        <MatchBox />
        <StandingNotes ids={[...IDS, CONNECTED]} />
        <ObjectTable caption="Routes" kinds={kinds} columns={columns} mixed empty="No route yet." />
      </div>
    </>
  );
}

function forText(route: KubeObject): string {
  const hosts = [
    ...listAt(route.spec, "hostnames").map(String),
    ...listAt(route.spec, "rules").map((rule) => textAt(rule, "host")),
  ].filter((host) => host !== "");
  const matches = listAt(route.spec, "match").map((match) => {
    const uri = ["exact", "prefix", "regex"].map((how) => textAt(match, "uri", how)).find((text) => text !== "");
    const methods = listAt(match, "methods").map(String).join(" ");
    return [methods, uri ?? ""].filter((text) => text !== "").join(" ");
  });
  return [...hosts, ...matches].filter((text) => text !== "").join(", ");
}

/** Each connected gateway, and whether it serves this very route. Load balancers say it for all of theirs at once. */
function Acknowledgements(props: {
  readonly object: KubeObject;
  readonly connected: readonly KubeObject[];
  readonly words: string;
}): JSX.Element {
  const { object, connected, words } = props;
  if (!object.apiVersion.startsWith("avapigw.io/")) {
    const parents = listAt(object.status, "parents").map((parent) => textAt(parent, "parentRef", "name"));
    return <span class="soft">{parents.length > 0 ? parents.join(", ") : object.kind === "Ingress" ? words : ""}</span>;
  }
  const applied = new Map(
    listAt(object.status, "appliedGateways").map((each) => [
      `${textAt(each, "namespace")}/${textAt(each, "name")}`,
      textAt(each, "lastApplied"),
    ]),
  );
  const names = new Set([
    ...applied.keys(),
    ...connected.map(
      ({ spec }) =>
        `${textAt(spec, "gateway", "namespace")}/${textAt(spec, "gateway", "podName") || textAt(spec, "gateway", "name")}`,
    ),
  ]);
  if (names.size === 0) return <span class="faint">no gateway is connected</span>;
  return (
    <ul class="acks" aria-label="Gateways">
      {[...names].map((name) => {
        const since = applied.get(name);
        const word = since === undefined ? "has not said so" : "serves it";
        return (
          <li
            key={name}
            class={`ack is-${since === undefined ? "waiting" : "ok"}`}
            title={since === undefined ? word : `${word} since ${momentText(since)}`}
          >
            <StateIcon state={since === undefined ? "waiting" : "ok"} size={13} />
            {name.split("/")[1]}
            <span class="hidden">{word}</span>
          </li>
        );
      })}
    </ul>
  );
}
